"""Break each gate of CI once: it must fail for the fault that it guards against.

    python -m tools.robustness.gates            all of them, one after another: about fifteen minutes
    python -m tools.robustness.gates PART       those whose name has this part

In a copy of the repository a gate has to pass; then one text is replaced, or a line is added, and it has to fail. A
gate that does not notice, and a text that is not in its file any more, end it with status 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.robustness.mutation_map import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 600  # seconds for a gate
_PYTEST = "pytest -q -x -p no:cacheprovider -n 0"
_SLOW = "-o addopts="  # what CI runs behind the unit suite, too


class Gate(NamedTuple):
    """The promise, the file to break, the text to replace ("" appends) and its replacement. command: as in CI, or the
    part of it that concerns the fault; variables: those that CI sets for it.
    """

    name: str
    path: str
    text: str
    broken: str
    command: str
    variables: str = ""


def _test(name: str, path: str, text: str, broken: str, tests: str, variables: str = "") -> Gate:
    return Gate(name, path, text, broken, f"{_PYTEST} {' '.join(map(_found, tests.split()))}", variables)


def _found(word: str) -> str:
    """`tests/commands/test_sarif.py` for `test_sarif.py`, and other words of pytest as they are."""
    name, colons, test = word.partition("::")
    if not name.endswith(".py"):
        return word
    (path,) = (ROOT / "tests").rglob(name)
    return f"{path.relative_to(ROOT).as_posix()}{colons}{test}"


GATES = (
    Gate("ruff: a name that nobody uses", "regpress_lint/core/named.py", "", "import json\n", "ruff check -q ."),
    Gate("ruff: the layout", "regpress_lint/core/named.py", "", "x = ( 1 )\n", "ruff format -q --check ."),
    Gate("mypy: a wrong type", "regpress_lint/core/named.py", "", 'WRONG: int = "text"\n',
         "mypy regpress_lint/core/named.py"),
    Gate("imports: up", "regpress_lint/core/named.py", "", "from regpress_lint.cli import main\n", "lint-imports"),
    Gate("imports: a rule past the api", "rules/regpress_rules/math/pow_small_exponent.py", "",
         "from regpress_lint.cpp import parse\n", "lint-imports"),
    Gate("site: a link to a page that is not there", "docs/cache.md", "", "\n[x](nowhere.md)\n",
         "mkdocs build --strict --site-dir build/gate"),
    Gate("site: a page of the navigation that is not there", "mkdocs.yml", " cache.md\n", " caches.md\n",
         "mkdocs build --strict --site-dir build/gate"),
    _test("site: a page that is in the navigation twice", "mkdocs.yml", "      - The cache: cache.md\n",
          "      - The cache: cache.md\n" * 2, "test_documentation_site.py -k navigation"),
    Gate("CI: a required test that skips", "tests/lint/test_named_alone.py", "", '\n\ndef test_it() -> None:\n'
         '    import pytest\n\n    pytest.skip("nothing set it")\n', f"{_PYTEST} tests/lint/test_named_alone.py",
         "REGPRESS_REQUIRED=1"),
    Gate("CI: a required test that may not begin", "tests/lint/test_named_alone.py", "", "\n",
         "env REGPRESS_TESTS_UNTIL=1 " + f"{_PYTEST} tests/lint/test_named_alone.py", "REGPRESS_REQUIRED=1"),
    _test("SARIF: its schema", "regpress_lint/render/sarif.py", '"text":', '"words":', "test_sarif.py"),
    _test("occupancy: the vendors' arithmetic", "regpress_lint/targets/nvidia_table.py",
          "{'32': 256}", "{'32': 512}",
          "test_occupancy_oracles.py"),
    _test("occupancy: tables and what they are made of", "regpress_lint/targets/data/amd.toml", "lds_granule = 256",
          "lds_granule = 512", "test_target_tables.py"),
    _test("generated: a rule's page", "docs/rules/pow-small-exponent.md", "", "x\n", "test_rule_pages.py"),
    Gate("generated: every file that a script makes", "docs/commands.md", "", "x\n",
         "python tools/generate.py --check commands_page"),
    _test("generated: tables of measurements", "docs/accuracy.md", "| kernels | ", "| kernels | 1",
          f"test_reference_pages.py {_SLOW}"),
    _test("English: patterns in pages", "docs/cache.md", "",
          "\nWhat is kept lies beside it, for whoever asks for it anew.\n" * 12, "test_house_english.py"),
    _test("English: a sentence that is too long", "docs/cache.md", "", f"\n{'word ' * 80}end.\n",
          "test_house_english.py"),
    _test("documents: a file that is not there", "docs/cache.md", "", "\nSee `regpress_lint/lint/nowhere.py`.\n",
          "test_documentation_snippets.py -k named_exist"),
    _test("documents: an option that is not there", "docs/cache.md", "", "\nUse `regpress-lint check --nowhere`.\n",
          "test_documentation_snippets.py -k options_that_exist"),
    _test("documents: TOML that no reader takes", "docs/configuration.md", "", '\n```toml\nselect = 5\n```\n',
          "test_documentation_snippets.py -k toml"),
    _test("documents: attacks and their tests", "tests/security_promises.md", "test_links`", "test_nothing`",
          "test_security_document.py"),
    _test("golden: an estimate that moved", "regpress_lint/model/estimate/fit.py", "return Band(scale * band.low,",
          "return Band(2 * scale * band.low,", "test_golden.py"),
    _test("rules: a finding that is missing", "testdata/rules/RP201/positive.cu", "// expect: RP201", "// was: RP201",
          f"test_rules.py -k RP201 {_SLOW}"),
    _test("rules: a page without its example", "rules/regpress_rules/math/pow_small_exponent.md", "## Example",
          "## Instance", "test_rule_docs.py"),
    _test("start-up: a heavy import", "regpress_lint/core/named.py", "from __future__ import annotations\n",
          "from __future__ import annotations\nimport json\nimport difflib\n", "test_startup.py"),
    _test("patterns: one that takes a cube", "regpress_lint/core/named.py", "",
          '\nimport re\n\nX = re.compile(r"a*a*a*b")\n',
          f"test_patterns.py {_SLOW}"),
    _test("imports: a module that needs another first", "regpress_lint/server/open_texts.py", "",
          "\nfrom regpress_lint.server.session import Nothing\n", f"test_import_alone.py {_SLOW}"),
    _test("generated: the list of rules", "rules/regpress_rules/_index.py", "pow-small-exponent", "pow-exponent",
          "test_rule_index.py"),
    _test("generated: the architecture's kernel", "docs/architecture.md", "vector 67", "vector 66",
          f"test_architecture_document.py {_SLOW}"),
    _test("generated: the page of occupancy", "docs/occupancy.md", "", "x\n", "test_occupancy_document.py"),
    _test("generated: pictures", "docs/images/finding.svg", "</svg>", "<!-- x --></svg>", f"test_pictures.py {_SLOW}"),
    _test("generated: keys of the configuration", "tools/generators/config_schema.py", "The file of known findings.",
          "The file.", "test_configuration_document.py"),
    _test("schemas: a key that is renamed", "regpress_lint/render/json.py", '"tool":', '"program":', "test_formats.py"),
    _test("rules: words of a finding", "testdata/findings/RP201.txt", "is not simplified", "is simplified",
          f"test_rules.py -k RP201 {_SLOW}"),
    _test("rules: a severity without evidence", "testdata/evidence/RP201/measured.csv", ",sm_90,", ",sm_80,",
          f"test_evidence.py -k RP201 {_SLOW}"),
    _test("fixes: a square that is called safe", "rules/regpress_rules/math/pow_small_exponent.py",
          '_MORE_EXACT: Applicability = "unsafe"', '_MORE_EXACT: Applicability = "safe"',
          f"test_fix_emulation.py -k every_rule_with {_SLOW}"),
    _test("library: what a routine takes", "testdata/library_costs.csv", "gfx90a,sqrt:d,8,", "gfx90a,sqrt:d,18,",
          "test_library.py"),
    _test("security: a name that nobody has registered", "docs/ci.md", "",
          "\nRun `pip install {}`.\n".format("regpress-lint"),
          "test_packaging.py -k registered"),
    _test("hooks: a manifest that pre-commit refuses", ".pre-commit-hooks.yaml", "  language: python\n", "",
          f"test_hooks.py {_SLOW}"),
    _test("CI: a failure that is not named", ".ci/run", "set -euo pipefail", "set +e", f"test_ci_run.py {_SLOW}"),
    _test("CI: a workflow with an input in its shell", "action.yml", "        BASE: ${{ inputs.diff }}",
          "        BASE: $(echo ${{ inputs.diff }})", f"test_ci_files.py {_SLOW}"),
    _test("packages: Pythons that are not tested", "pyproject.toml", 'requires-python = ">=3.11"',
          'requires-python = ">=3.8"', f"test_packaging.py {_SLOW}"),
    _test("retired: a code that leads nowhere", "rules/regpress_rules/retired/__init__.py", '"RP403"', '"RP499"',
          "test_retired_codes.py"),
    _test("releases: versions that differ", "regpress_lint/__init__.py", '"0.1.0"', '"0.1.1"', "test_release.py"),
    Gate("commits: a subject that is too long", ".git-subject", "Name", "Name all of " * 9,
         "bash .githooks/commit-msg .git-subject"),
)  # fmt: skip


def copied(folder: Path) -> None:
    """The files that git knows, in a repository of their own."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    (folder / ".git-subject").write_text("docs: Name the gates\n", encoding="utf-8")


def passes(gate: Gate, folder: Path) -> bool:
    """Whether a gate is open in the copy."""
    searched = os.pathsep.join(str(folder / name) for name in ("", "rules"))
    given = dict(one.split("=") for one in gate.variables.split())
    environment = {**os.environ, "PYTHONPATH": searched, **given}
    environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    done = subprocess.run(
        gate.command.split(), cwd=folder, env=environment, capture_output=True, check=False, timeout=LIMIT
    )
    return done.returncode == 0


def answer(gate: Gate, folder: Path) -> str:
    """Result of breaking a gate."""
    file = folder / gate.path
    before = file.read_text(encoding="utf-8")
    if gate.text not in before:
        return "NOT FOUND: its text is not in the file"
    plain = gate._replace(command=gate.command.replace("env REGPRESS_TESTS_UNTIL=1 ", ""))
    if not passes(plain, folder):
        return "FAILS without a fault, too"
    after = before.replace(gate.text, gate.broken) if gate.text else before + gate.broken
    try:
        file.write_text(after, encoding="utf-8")
        open_ = passes(gate, folder)
    finally:
        file.write_text(before, encoding="utf-8")
    return "NOT NOTICED" if open_ else "noticed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    part = "".join(sys.argv[1:] if arguments is None else arguments)
    chosen = [gate for gate in GATES if part in gate.name]
    with tempfile.TemporaryDirectory(prefix="regpress-gates-") as place:
        folder = Path(place)
        copied(folder)
        answers = ((gate.name, answer(gate, folder)) for gate in chosen)
        return tally(answers, len(chosen), "gates fail for what they are there for")


if __name__ == "__main__":
    raise SystemExit(main())
