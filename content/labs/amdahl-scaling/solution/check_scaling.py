"""Checks scaling.py against the laws themselves, on generated times whose serial share is known."""

import random
import sys

import scaling


def check(text, good):
    print(f'{text}: {"right" if good else "WRONG"}')
    if not good:
        sys.exit(1)


def close(a, b, tolerance=1e-12):
    return abs(a - b) <= tolerance * max(1, abs(b))


def laws(p, s):
    """The laws in another shape than the one asked for, so that a slip shows."""
    serial, parallel = s * 840, (1 - s) * 840
    return 840 / (serial + parallel / p), serial / 840 + p * parallel / 840


grid = [(p, s) for p in (1, 2, 7, 64, 1024) for s in (0, 0.01, 0.2, 1)]
check('amdahl', all(close(scaling.amdahl(p, s), laws(p, s)[0]) for p, s in grid))
check('gustafson', all(close(scaling.gustafson(p, s), laws(p, s)[1]) for p, s in grid))
check(
    'karp_flatt undoes amdahl',
    all(close(scaling.karp_flatt(p, laws(p, s)[0]), s, 1e-9) for p, s in grid if p > 1),
)

cores = [1, 2, 4, 8, 16, 32]
for share in (0.02, 0.15):
    exact = [12.5 / laws(p, share)[0] for p in cores]
    check(f'fit of exact times, share {share}', close(scaling.fit_serial_share(cores, exact), share, 1e-9))
    noise = random.Random(7)  # a fixed seed: the same "measurements" every time
    noisy = [exact[0]] + [time * (1 + noise.uniform(-0.02, 0.02)) for time in exact[1:]]
    found = scaling.fit_serial_share(cores, noisy)
    check(f'fit of times with 2 % noise, share {share}: {found:.4f}', abs(found - share) < 0.01)

check('usable_cores is at least 1', scaling.usable_cores() >= 1)
