"""`kernels --measured FILE --output-format json`: the document of `kernels`, with measured numbers for each target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats import kernels_json
from regpress_lint.measured.demangle import demangled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.core.measured import Row
    from regpress_lint.views.agreement import AgreementRow
    from regpress_lint.views.kernels import KernelRow


def document(rows: Sequence[AgreementRow]) -> dict[str, Any]:
    """The whole document; kernels and targets without a row are left out."""
    found: dict[int, tuple[KernelRow, dict[str, Any]]] = {}
    for row in rows:
        _, targets = found.setdefault(id(row.kernel), (row.kernel, {}))
        targets[row.target.name] = measured(row)
    kernels = []
    for kernel, targets in found.values():
        kept = kernel._replace(targets=tuple(target for target in kernel.targets if target.name in targets))
        (plain,) = kernels_json.document([kept])["kernels"]
        for name, target in plain["targets"].items():
            target["measured"] = targets[name]
        kernels.append(plain)
    return {"version": 1, "kernels": kernels}


def measured(row: AgreementRow) -> dict[str, Any] | None:
    """The measured numbers of a kernel on a target; None if there are none."""
    if not row.rows:
        return None
    now = row.occupancy
    return {
        "verdict": row.verdict,
        "registers": None if row.registers is None else {"least": row.least, "median": row.registers, "most": row.most},
        "spills": row.spills,
        "scratch_bytes": row.scratch_bytes,
        "waves_per_simd": None if now is None else now.waves_per_simd,
        "instances": list(map(_instance, row.rows)),
    }


def _instance(row: Row) -> dict[str, Any]:
    names = ("symbol", "registers", "spills", "scratch_bytes", "lds_bytes", "compiler", "version")
    return {"arguments": demangled(row.symbol).arguments, **{name: getattr(row, name) for name in names}}
