"""What the text of a kernel says: its loops, arrays, accesses and calls. It finds places; the execution decides."""

from __future__ import annotations
