"""Compile commands (`compile_commands.json`) as plain data. Nothing of them is ever executed."""

from __future__ import annotations
