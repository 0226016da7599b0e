import sys


def main():
    data = sys.stdin.buffer.read().split()
    # one step at a time


main()
