import sys


def main():
    data = list(map(int, sys.stdin.buffer.read().split()))
    n, m = data[0], data[1]
    ptr = data[2 : n + 3]
    col = data[n + 3 : n + 3 + m]
    val = data[n + 3 + m : n + 3 + 2 * m]
    x = data[n + 3 + 2 * m :]
    print(*(sum(val[k] * x[col[k]] for k in range(ptr[i], ptr[i + 1])) for i in range(n)))


main()
