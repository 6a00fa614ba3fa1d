"""Numba kernels: arrays and scalars in, arrays out. They import nothing else of shoal.

Each has a slow, obvious twin in ``tests/naive``. All are compiled once and cached on disk.
"""
