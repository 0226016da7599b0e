import sys


def main():
    s, t = sys.stdin.read().split()
    row = [0] * (len(t) + 1)
    for a in s:
        corner = 0
        left = 0
        for j, b in enumerate(t, 1):
            above = row[j]
            if a == b:
                left = corner + 1
            elif above > left:
                left = above
            row[j] = left
            corner = above
    print(row[-1])


main()
