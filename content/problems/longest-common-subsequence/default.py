import sys


def main():
    data = sys.stdin.buffer.read().split()
    # f(i, j)


main()
