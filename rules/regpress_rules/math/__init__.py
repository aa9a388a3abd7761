"""Arithmetic, math functions and printing in kernels."""
