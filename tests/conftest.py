"""What holds for all tests: no run finds answers of another one, unless a test is about that."""

from __future__ import annotations

import os

os.environ["REGPRESS_LINT_NO_CACHE"] = "1"
