"""Amdahl's law as code. Exercise 2: complete the functions; the formulas are in the document."""

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
    return p


def gustafson(p, s):
    """Scaled speed-up on p cores: the parallel part grows with p, s is the serial share of that run."""
    return p


def karp_flatt(p, speedup):
    """The serial share that would explain the measured speed-up on p > 1 cores."""
    return 0.0


def fit_serial_share(cores, times):
    """The serial share that fits the times best (least squares); cores[0] must be 1.

    With y = T(p) / T(1) - 1/p and x = 1 - 1/p, Amdahl's law is the straight line y = s x.
    """
    return 0.0
