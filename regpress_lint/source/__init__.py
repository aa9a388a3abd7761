"""The contents of a kernel's text: its loops, arrays, accesses and calls. It finds places; the execution decides."""

from __future__ import annotations
