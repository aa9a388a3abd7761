"""Registers and memory of kernels as compilers report them: readers of their logs, assembly and objects. Nothing is
executed."""

from __future__ import annotations
