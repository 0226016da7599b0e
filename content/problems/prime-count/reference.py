import sys


def main():
    data = sys.stdin.buffer.read().split()
    count = int(data[0])
    ends = [int(word) for word in data[1 : 1 + 2 * count]]
    limit = max(ends)
    sieve = bytearray([1]) * (limit + 1)
    sieve[0] = 0
    if limit >= 1:
        sieve[1] = 0
    number = 2
    while number * number <= limit:
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, limit + 1, number)))
        number += 1
    upto = [0] * (limit + 1)
    running = 0
    for number in range(limit + 1):
        running += sieve[number]
        upto[number] = running
    print("\n".join(str(upto[ends[i + 1]] - upto[ends[i] - 1]) for i in range(0, 2 * count, 2)))


main()
