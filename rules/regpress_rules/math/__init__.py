"""Arithmetic, math functions and what a kernel prints."""
