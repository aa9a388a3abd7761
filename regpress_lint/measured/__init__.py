"""What compilers themselves say that kernels take: readers of their logs, assembly and objects. Nothing is executed."""

from __future__ import annotations
