"""How much LDS clang gives to private arrays: as far as no wave is lost by it, for the largest work-group.

The unit is gfx90a's: 64 KB, four SIMDs of eight waves. Measured with clang 19 by kernels with 0 to 60,000 bytes of LDS.
"""

from __future__ import annotations

_LDS, _SIMDS, _WAVES, _WAVE, _MOST_GROUPS = 65536, 4, 8, 64, 16
DEFAULT_THREADS = 1024  # that clang assumes without launch bounds


def promoted_bytes(lds_bytes: int, threads: int, *, dynamic: bool) -> int:
    """Bytes per thread for arrays beside `lds_bytes` of the kernel's own; none beside LDS that the launch sizes."""
    waves = -(-threads // _WAVE)
    groups = min(_SIMDS * _WAVES // waves, _MOST_GROUPS) if waves > 1 else _SIMDS * _WAVES
    if dynamic or not groups:
        return 0
    held = min(groups, _LDS // max(lds_bytes, 1)) or 1
    full = min(-(-held * waves // _SIMDS), _WAVES)
    return max(0, _LDS * _WAVES // groups // full - lds_bytes) // threads
