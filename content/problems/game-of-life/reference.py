import sys


def main():
    data = sys.stdin.read().split()
    n, m, steps = map(int, data[:3])
    now = [[cell == "#" for cell in line] for line in data[3:]]
    for _ in range(steps):
        # Three in a row first, then three rows: fewer additions than eight neighbours.
        triples = [
            [row[j - 1] + row[j] + row[(j + 1) % m] for j in range(m)] for row in now
        ]
        now = [
            [
                (alive := triples[i - 1][j] + triples[i][j] + triples[(i + 1) % n][j]) == 3
                or (alive == 4 and now[i][j])
                for j in range(m)
            ]
            for i in range(n)
        ]
    for row in now:
        print("".join("#" if cell else "." for cell in row))


main()
