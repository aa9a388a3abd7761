"""Ranges of integers, and the results of C++'s operators on them: the model has the same."""

from __future__ import annotations

from regpress_lint.cpp.integer_ranges import (
    FLAG as FLAG,
    INT as INT,
    INT_MAX as INT_MAX,
    NOTHING as NOTHING,
    UNSIGNED as UNSIGNED,
    ZERO as ZERO,
    Range as Range,
    arithmetic as arithmetic,
    bits as bits,
    converted as converted,
    is_integer as is_integer,
    is_unsigned as is_unsigned,
    masked as masked,
    negative as negative,
    range_of_type as range_of_type,
    remainder as remainder,
    shifted as shifted,
    union as union,
    unsettled as unsettled,
)
