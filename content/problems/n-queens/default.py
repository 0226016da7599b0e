import sys


def main():
    data = sys.stdin.buffer.read().split()
    # place the queens row by row


main()
