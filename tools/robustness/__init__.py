"""Attacks on the tool, on its tests and on its gates."""
