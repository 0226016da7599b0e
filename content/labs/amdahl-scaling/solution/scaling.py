"""Amdahl's law as code."""

import math
import os
import pathlib


def usable_cores():
    """How many cores this container may use: what the kernel shows, or less if a quota says so."""
    cores = len(os.sched_getaffinity(0))
    quota = pathlib.Path('/sys/fs/cgroup/cpu.max')
    if quota.exists():
        limit, period = quota.read_text().split()
        if limit != 'max':
            cores = min(cores, math.ceil(int(limit) / int(period)))
    return cores


def amdahl(p, s):
    """Speed-up on p cores of a program whose serial share is s."""
    return 1 / (s + (1 - s) / p)


def gustafson(p, s):
    """Scaled speed-up on p cores: the parallel part grows with p, s is the serial share of that run."""
    return s + (1 - s) * p


def karp_flatt(p, speedup):
    """The serial share that would explain the measured speed-up on p > 1 cores."""
    return (1 / speedup - 1 / p) / (1 - 1 / p)


def fit_serial_share(cores, times):
    """The serial share that fits the times best (least squares); cores[0] must be 1.

    With y = T(p) / T(1) - 1/p and x = 1 - 1/p, Amdahl's law is the straight line y = s x.
    """
    x = [1 - 1 / p for p in cores]
    y = [time / times[0] - 1 / p for p, time in zip(cores, times)]
    return sum(a * b for a, b in zip(x, y)) / sum(a * a for a in x)
