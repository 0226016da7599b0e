import sys


def main():
    data = sys.stdin.buffer.read().split()
    # sieve, then answer from prefix sums


main()
