"""Checks kernels.py: right numbers, loops at least 3 times slower, and no hidden arrays."""

import sys
import time
import tracemalloc

import numpy as np

import kernels


def best_time(function, *arguments, repeat=3):
    """The shortest of a few runs: what disturbs a measurement only ever makes it longer."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


def extra_bytes(function, *arguments):
    """The most memory that the call held beyond its arguments. NumPy reports its arrays here too."""
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def check(text, good):
    print(f'{text}: {"right" if good else "WRONG"}')
    if not good:
        sys.exit(1)


random = np.random.default_rng(2024)
x, y = random.random(200_000), random.random(200_000)
points = random.random((300, 2))

check('axpy agrees with the loop', np.array_equal(kernels.axpy(2.5, x, y), kernels.axpy_loop(2.5, x, y)))
check(
    'distances agree with the loop',
    np.allclose(kernels.distances(points), kernels.distances_loop(points), rtol=1e-13, atol=1e-13),
)

for name, arguments in [('axpy', (2.5, x, y)), ('distances', (points,))]:
    loop = best_time(getattr(kernels, name + '_loop'), *arguments)
    vector = best_time(getattr(kernels, name), *arguments)
    check(f'{name}: the loop takes {loop / vector:.0f} times as long (at least 3)', loop >= 3 * vector)

z = random.random(1_000_003)
expected = 1 + z + z**2 / 2 + z**3 / 6
for name in ('polynomial_in_place', 'polynomial_in_chunks'):
    function = getattr(kernels, name)
    out = np.full_like(z, np.nan)
    result = function(z, out)
    check(f'{name}: the numbers, written into out', result is out and np.allclose(out, expected, rtol=1e-14))
    extra = extra_bytes(function, z, out)
    check(f'{name}: {extra:,} bytes beyond x and out (of {z.nbytes:,})', extra < z.nbytes / 20)

# In chunks means: no call touches more than one chunk. Watch what is handed on.
seen = []
whole = kernels.polynomial_in_place
kernels.polynomial_in_place = lambda a, b: (seen.append(len(a)), whole(a, b))[1]
kernels.polynomial_in_chunks(z, np.empty_like(z), chunk=50_000)
kernels.polynomial_in_place = whole
check('polynomial_in_chunks: pieces of at most one chunk', seen == [50_000] * 20 + [3])
