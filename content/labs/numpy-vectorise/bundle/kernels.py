"""The functions of this lab. Those whose name ends in _loop are given; you write the others."""

import numpy as np


def axpy_loop(a, x, y):
    """Return a * x + y, one element at a time."""
    result = np.empty_like(y)
    for i in range(len(x)):
        result[i] = a * x[i] + y[i]
    return result


def axpy(a, x, y):
    """Exercise 1: the same without a loop, in one line."""
    return axpy_loop(a, x, y)


def distances_loop(points):
    """Return the matrix of the distances between all pairs of points; points has shape (n, 2)."""
    n = len(points)
    result = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            dx = points[i, 0] - points[j, 0]
            dy = points[i, 1] - points[j, 1]
            result[i, j] = (dx * dx + dy * dy) ** 0.5
    return result


def distances(points):
    """Exercise 2: the same by broadcasting. points[:, None, :] has shape (n, 1, 2)."""
    return distances_loop(points)


def polynomial(x):
    """Return 1 + x + x²/2 + x³/6 by Horner's rule. Every line makes a new array as long as x."""
    step1 = x / 6
    step2 = step1 + 0.5
    step3 = step2 * x
    step4 = step3 + 1
    step5 = step4 * x
    return step5 + 1


def polynomial_in_place(x, out):
    """Exercise 3: the same, but write into out, and make no other array.

    np.divide(x, 6, out=out) puts x / 6 into out; then out += 0.5, out *= x and so on.
    """
    out[:] = polynomial(x)
    return out


def polynomial_in_chunks(x, out, chunk=16_384):
    """Exercise 4: the same, chunk by chunk, so that a piece of x and out stays in the cache.

    Call polynomial_in_place for x[start : start + chunk], again and again.
    """
    return polynomial_in_place(x, out)
