"""The functions of this lab, complete."""

import numpy as np


def axpy_loop(a, x, y):
    """Return a * x + y, one element at a time."""
    result = np.empty_like(y)
    for i in range(len(x)):
        result[i] = a * x[i] + y[i]
    return result


def axpy(a, x, y):
    """The same in two passes over whole arrays."""
    return a * x + y


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
    """The same by broadcasting: (n, 1, 2) minus (1, n, 2) gives (n, n, 2)."""
    difference = points[:, None, :] - points[None, :, :]
    return np.sqrt((difference**2).sum(axis=2))


def polynomial(x):
    """Return 1 + x + x²/2 + x³/6 by Horner's rule. Every line makes a new array as long as x."""
    step1 = x / 6
    step2 = step1 + 0.5
    step3 = step2 * x
    step4 = step3 + 1
    step5 = step4 * x
    return step5 + 1


def polynomial_in_place(x, out):
    """The same, with out as the only array that is written to."""
    np.divide(x, 6, out=out)
    out += 0.5
    out *= x
    out += 1
    out *= x
    out += 1
    return out


def polynomial_in_chunks(x, out, chunk=16_384):
    """The same, chunk by chunk, so that a piece of x and out stays in the cache."""
    for start in range(0, len(x), chunk):
        piece = slice(start, start + chunk)
        polynomial_in_place(x[piece], out[piece])
    return out
