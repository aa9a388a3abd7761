"""Measurements, with compilers, GPUs or real code, and their results."""
