"""One decision a file, over the values of an executed kernel; `trace` runs them."""

from __future__ import annotations
