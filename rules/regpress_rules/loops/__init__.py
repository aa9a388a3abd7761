"""Unrolling."""
