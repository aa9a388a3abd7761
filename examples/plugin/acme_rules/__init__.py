"""House rules for regpress-lint. Codes begin with letters of the team's own: RP000 to RP999 are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.api import Rule


def rules() -> tuple[type[Rule], ...]:
    """What the entry point names: called once a process, when regpress-lint asks which rules there are."""
    from acme_rules.approximate_intrinsic import ApproximateIntrinsic

    return (ApproximateIntrinsic,)
