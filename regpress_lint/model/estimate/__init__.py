"""From the graph to registers and scratch."""

from __future__ import annotations
