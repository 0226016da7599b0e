import sys


def main():
    data = sys.stdin.buffer.read().split()
    # y[i] += val[k] * x[col[k]]


main()
