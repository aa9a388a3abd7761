"""Words that OpenCL C has and C++ has not, as macros over the words that the front end knows.

With underscores they are in `mask/keywords.py`; without, `local` or `kernel` may be anything in another language.
"""

from __future__ import annotations

from regpress_lint.cpp.preprocess.macros import layer_of, scan_macros

_TEXT = b"""
#define kernel __kernel
#define global __global
#define local __local
#define private __private
#define constant __constant
#define generic __generic
#define read_only __read_only
#define write_only __write_only
#define read_write __read_write
#define pipe __read_write
"""

WORDS = layer_of(scan_macros(_TEXT, ""))
