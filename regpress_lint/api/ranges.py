"""Ranges of integers, and the results of C++'s operators on them: the model has the same."""

from __future__ import annotations

from regpress_lint.cpp.integer_ranges import (
    FLAG,
    INT,
    INT_MAX,
    NOTHING,
    UNSIGNED,
    ZERO,
    Range,
    arithmetic,
    bits,
    converted,
    is_integer,
    is_unsigned,
    masked,
    negative,
    range_of_type,
    remainder,
    shifted,
    union,
    unsettled,
)

__all__ = [
    "FLAG",
    "INT",
    "INT_MAX",
    "NOTHING",
    "UNSIGNED",
    "ZERO",
    "Range",
    "arithmetic",
    "bits",
    "converted",
    "is_integer",
    "is_unsigned",
    "masked",
    "negative",
    "range_of_type",
    "remainder",
    "shifted",
    "union",
    "unsettled",
]
