"""What holds for all tests: no run finds answers of another one, unless a test is about that, and none is timed.

Python keeps its bytecode: where an environment forbids that, each of the many processes that tests start would compile
all modules again.
"""

from __future__ import annotations

import os
import sys

from hypothesis import settings

os.environ["REGPRESS_LINT_NO_CACHE"] = "1"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
