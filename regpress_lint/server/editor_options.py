"""Settings of the editor itself; configuration files decide which findings are reported, as everywhere."""

from __future__ import annotations

from typing import Any

from regpress_lint.core.named import NamedTuple

SECTION = "regpress-lint"


class Options(NamedTuple):
    """code_lens: the line above each kernel. inlay_hints: live registers behind the widest lines.

    first_answers: whether what is known at once is shown while kernels that take long are still looked at.
    """

    code_lens: bool = True
    inlay_hints: bool = False
    first_answers: bool = True


def options_of(given: Any, known: Options = Options()) -> Options:  # noqa: B008
    """Options out of what an editor sends, `initializationOptions` or the section of its settings; what is no boolean
    leaves things as they are.
    """
    table = given.get(SECTION, given) if isinstance(given, dict) else {}
    if not isinstance(table, dict):
        return known
    lens, hints, first = table.get("codeLens"), table.get("inlayHints"), table.get("firstAnswers")
    return Options(
        lens if isinstance(lens, bool) else known.code_lens,
        hints if isinstance(hints, bool) else known.inlay_hints,
        first if isinstance(first, bool) else known.first_answers,
    )
