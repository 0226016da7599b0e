import sys


def main():
    data = list(map(int, sys.stdin.buffer.read().split()))
    n = data[0]
    print(*(x + y for x, y in zip(data[1 : n + 1], data[n + 1 : 2 * n + 1])))


main()
