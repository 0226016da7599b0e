import sys


def main():
    data = sys.stdin.buffer.read().split()
    # c[i] = a[i] + b[i]


main()
