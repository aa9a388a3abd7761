"""The symbolic execution of a kernel, for one compiler."""

from __future__ import annotations
