"""Writes every generated file of the repository, says which are stale, and starts a new rule.

    python tools/generate.py                     # write all
    python tools/generate.py rule_index pictures # write these
    python tools/generate.py --check [NAMES]     # write nothing, exit 1 and name what is stale
    python tools/generate.py --list
    python tools/generate.py rule unused-lane --group live --code RP399 --summary "Lanes that compute nothing."

The order matters: a page shows what a table before it says. Measurements, which need compilers, are not generated.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "tools"
INDEX = SCRIPTS / "README.md"
GROUPS = ROOT / "rules" / "regpress_rules"


class Generator(NamedTuple):
    """A script, and the files that it writes, as globs from the root."""

    script: str
    outputs: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.script


GENERATORS = (
    Generator("target_tables", ("regpress_lint/targets/*_table.py",)),
    Generator("rule_index", ("rules/regpress_rules/_index.py",)),
    Generator("advice_evidence", ("regpress_lint/lint/advice/measured_pairs.py",)),
    Generator("rule_pages", ("docs/rules/*.md",)),
    Generator("config_schema", ("schemas/config.v1.schema.json", "docs/configuration.md")),
    Generator("finding_texts", ("testdata/findings/*.txt",)),
    Generator("architecture_walk", ("docs/architecture.md",)),
    Generator("occupancy_document", ("docs/occupancy.md", "testdata/occupancy/claims.md")),
    Generator("seeds_document", ("testdata/seeds/README.md",)),
    Generator("commands_page", ("docs/commands.md",)),
    Generator(
        "result_tables",
        tuple(
            """
            docs/accuracy.md docs/speed.md docs/sweep.md docs/without.md docs/agprs.md docs/opencl.md
            docs/adoption.md README.md
            """.split()
        ),
    ),
    Generator("pictures", ("docs/images/*.svg",)),
)


def contents(generator: Generator) -> dict[Path, bytes]:
    """Present content of a generator's files."""
    return {path: path.read_bytes() for pattern in generator.outputs for path in sorted(ROOT.glob(pattern))}


def run(generator: Generator) -> None:
    """Write a generator's files. Raises RuntimeError with its words if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", f"tools.generators.{generator.script}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{generator.script} failed:\n{done.stdout}{done.stderr}")


def stale(generator: Generator) -> list[Path]:
    """Files that a generator would write in another way; they are left as they are."""
    before = contents(generator)
    run(generator)
    after = contents(generator)
    differ = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    for path in differ:
        if path in before:
            path.write_bytes(before[path])
        else:
            path.unlink()
    return differ


def index() -> str:
    """tools/README.md: every script with the first line of its docstring."""
    lines = ["# Scripts", "", "<!-- Written by tools/generate.py from the scripts' docstrings. -->", ""]
    lines += [
        "From the root of the repository, `python -m tools.FOLDER.SCRIPT --help` explains the arguments of each.",
        "",
    ]
    for folder in (SCRIPTS, *sorted(path for path in SCRIPTS.iterdir() if (path / "__init__.py").exists())):
        lines += [f"## {folder.relative_to(ROOT)}", "", _summary(folder / "__init__.py"), ""]
        lines += ["| script | purpose |", "|---|---|"]
        lines += [f"| `{path.stem}` | {_summary(path)} |" for path in sorted(folder.glob("[!_]*.py"))]
        lines.append("")
    return "\n".join(lines)


def _summary(path: Path) -> str:
    documented = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return documented.partition("\n")[0].replace("|", "\\|")


# -------------------------------------------------------------------------------------------------------- a new rule


_MODULE = '''"""{code} {name}."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import Finding, KernelFacts


class {kind}(Rule):
    """{summary}"""

    code = "{code}"
    name = "{name}"
{languages}
    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per smell."""
        yield from ()
'''
_HEADINGS = (
    *("What it does", "Why it costs", "When it is reported", "Targets", "Measured", "Example", "Use instead"),
    *("When to ignore", "Fix safety", "Sources"),
)


_FIXTURES = {
    "positive": "// A kernel with the smell, whose line ends in a comment that expects the rule's code.\n",
    "near_miss": "// A kernel that looks like it, of which the rule says nothing.\n",
}
_SUFFIXES = {"cuda": ".cu", "hip": ".hip", "sycl": ".cpp"}
_PAIRS = "// Pairs NAME_smell and NAME_repaired (tools/measure/evidence.py).\n"
_COMPILED = {"hip": "gfx90a, gfx1100", "cuda": "sm_90"}


def new_rule(
    name: str, group: str, code: str, summary: str, languages: Sequence[str] = tuple(_SUFFIXES)
) -> Iterator[Path]:
    """Write the files of a new rule. Raises ValueError for a name, group, code or language that cannot be."""
    groups = sorted(path.name for path in GROUPS.iterdir() if (path / "__init__.py").is_file())
    groups = [name for name in groups if name != "retired"]
    if group not in groups:
        raise ValueError(f'there is no group "{group}"; known are {", ".join(groups)}')
    if not re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+", name):
        raise ValueError(f'"{name}" is no name of a rule: some words with hyphens, as in long-live-range')
    if not re.fullmatch(r"RP\d{3}", code):
        raise ValueError(f'"{code}" is no code: RP and three digits')
    known = _codes_of(group)
    if known and code[:3] not in known:
        raise ValueError(f"rules of {group} have {' or '.join(known)}, not {code}")
    if unknown := [language for language in languages if language not in _SUFFIXES]:
        raise ValueError(f'no language "{unknown[0]}"; known are {", ".join(_SUFFIXES)}')
    taken = {path.name for path in (ROOT / "testdata" / "rules").glob("RP[0-9][0-9][0-9]")}
    module = GROUPS / group / f"{name.replace('-', '_')}.py"
    if code in taken or module.exists():
        raise ValueError(f"{code if code in taken else module.relative_to(ROOT)} exists already")
    kind = "".join(word.capitalize() for word in name.split("-"))
    sentence = summary.rstrip(".") + "."
    page = "\n\n".join(f"## {heading}" for heading in _HEADINGS) + "\n"
    fixtures = ROOT / "testdata" / "rules" / code
    evidence = ROOT / "testdata" / "evidence" / code / f"{name.replace('-', '_')}.cu"
    only = "".join(f'"{language}", ' for language in languages).removesuffix(" " if len(languages) == 1 else ", ")
    limited = f"    languages = ({only})\n" if len(languages) < len(_SUFFIXES) else ""
    files = {
        module: _MODULE.format(code=code, name=name, kind=kind, summary=sentence, languages=limited),
        module.with_suffix(".md"): page,
        **{
            fixtures / f"{start}{_SUFFIXES[language]}": text
            for language in languages
            for start, text in _FIXTURES.items()
        },
        evidence: _pairs(languages),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield path


def _pairs(languages: Sequence[str]) -> str:
    """The first lines of the pairs: one source serves HIP and CUDA."""
    targets = ", ".join(names for language, names in _COMPILED.items() if language in languages)
    return f"// targets: {targets}\n{_PAIRS}" if targets else _PAIRS


def _codes_of(group: str) -> list[str]:
    """What the codes of a group's rules begin with: RP2."""
    from regpress_rules import listed

    return sorted({row.code[:3] for row in listed() if row.module.startswith(f"regpress_rules.{group}.")})


# ------------------------------------------------------------------------------------------------------ command line


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["rule"]:
        return _rule(words[1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="generators; all by default")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")
    parser.add_argument("--list", action="store_true", help="print the generators and their files")
    options = parser.parse_args(words)
    known = {generator.name: generator for generator in GENERATORS}
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no generator {', '.join(unknown)}; known are {', '.join(known)}")
    chosen = [known[name] for name in options.names] or list(GENERATORS)
    if options.list:
        print("\n".join(f"{each.name:20} {' '.join(each.outputs)}" for each in chosen))
        return 0
    wrong: list[Path] = []
    for generator in chosen:
        try:
            if options.check:
                wrong += stale(generator)
            else:
                run(generator)
        except RuntimeError as error:  # the last line says what is wrong in which file
            print(str(error).rstrip().rpartition("\n")[2], file=sys.stderr)
            return 2
    if not options.names:
        if options.check and (not INDEX.exists() or INDEX.read_text(encoding="utf-8") != index()):
            wrong.append(INDEX)
        elif not options.check:
            INDEX.write_text(index(), encoding="utf-8")
    for path in wrong:
        of = next((each.name for each in chosen if any(path.match(glob) for glob in each.outputs)), "")
        print(f"{path.relative_to(ROOT)} is stale: run python tools/generate.py {of}".rstrip())
    return int(bool(wrong))


def _rule(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="generate.py rule", description="start a new rule")
    parser.add_argument("name", help="some words with hyphens: long-live-range")
    parser.add_argument("--group", required=True, help="a package of rules/regpress_rules: arrays, live, loops, ...")
    parser.add_argument("--code", required=True, help="RP and three digits, of which the group sets the first")
    parser.add_argument("--summary", required=True, help="one sentence: what it reports")
    parser.add_argument("--languages", default=",".join(_SUFFIXES), help="those that it is about: cuda,hip")
    options = parser.parse_args(words)
    try:
        for path in new_rule(options.name, options.group, options.code, options.summary, options.languages.split(",")):
            print(f"wrote {path.relative_to(ROOT)}")
    except ValueError as error:
        parser.error(str(error))
    code = options.code
    print(f"""fill them in, then run:
    python tools/generate.py rule_index
    python -m tools.measure.measure_evidence {code}
    python -m tools.generators.finding_texts {code} evidence_{code}
    python tools/generate.py rule_pages advice_evidence
    pytest -m "not compiler" tests/rules tests/docs/test_rule_docs.py -k "{code} or rule_index or committed"
where it speaks in the fixtures of other rules, expect it there, too:
    regpress-lint check --select {code} --profile strict --exit-zero testdata/rules""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
