def place(everything, columns, left, right):
    if columns == everything:
        return 1
    count = 0
    free = everything & ~(columns | left | right)
    while free:
        queen = free & -free
        free ^= queen
        count += place(everything, columns | queen, (left | queen) << 1, (right | queen) >> 1)
    return count


def main():
    n = int(input())
    everything = (1 << n) - 1
    half = sum(
        place(everything, 1 << column, 2 << column, (1 << column) >> 1) for column in range(n // 2)
    )
    count = 2 * half
    if n % 2:
        middle = 1 << (n // 2)
        count += place(everything, middle, middle << 1, middle >> 1)
    print(count)


main()
