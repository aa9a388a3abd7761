"""What holds for all tests: no run finds answers of another one, unless a test is about that, and none is timed."""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["REGPRESS_LINT_NO_CACHE"] = "1"
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
