"""The page's data: an index of all kernels, and for each file the details of its kernels, packed until shown.

How bad a number of registers is goes by its cost, never relative to the kernel's other lines. A finding knows which
kernel it is about and what its fix changes. Text and data take a form that a page can hold: nothing hidden, nothing
that is markup, small.
"""

from __future__ import annotations

import base64
import json
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.commands.kernels.output import lds_of, limiters, marks, spread, step_words
from regpress_lint.commands.pressure.data import extras, facts_of, insides, notes, number, scale
from regpress_lint.core.named import NamedTuple
from regpress_lint.render.terminal import visible, well_formed
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from regpress_lint.commands.kernels.rows import KernelRow, TargetRow
    from regpress_lint.commands.kernels.sweep import Point, Swept
    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.commands.pressure.lines import LinePressure, Value
    from regpress_lint.core.diagnostics import Diagnostic


class Shown(NamedTuple):
    """A kernel of the page, its row as `kernels` has it, and what `pressure` says of it on each of its targets.

    advice: what to change, a sentence each, with the target that it is for. swept: at other values, if asked for.
    """

    heading: str
    row: KernelRow
    sections: tuple[Section, ...]
    advice: tuple[tuple[str, str], ...] = ()
    swept: Swept | None = None


class Entry(NamedTuple):
    """A kernel of the index. tones: of each target, by its name."""

    heading: str
    row: KernelRow
    tones: Mapping[str, tuple[int, int, int]]


class PageFile(NamedTuple):
    """A file of the page. packed: its kernels' sections, as `packed` makes it."""

    path: str
    kernels: tuple[Entry, ...]
    packed: str


class PageFinding(NamedTuple):
    """A finding and what its fix changes; empty without a fix."""

    diagnostic: Diagnostic
    diff: str = ""


# The most registers of each tone but the last: as a share of the waves that few registers allow, and of the budget.
_SHARES = ((1.0, 0.75), (0.5, 0.9), (0.25, 1.0))
NAMES = (
    "costs no wave",
    "costs waves, or over 3/4 of the budget",
    "half of the waves, or over 9/10 of the budget",
    "a quarter of the waves, or over the budget",
)


def tones(steps: Sequence[tuple[int, Fraction]], budget: int) -> tuple[int, int, int]:
    """The most registers of the first, second and third tone; more than that is the fourth.

    steps: (most registers, waves), fewest registers first; without any the budget alone counts. Few registers leave
    all the waves that block size and LDS allow: what those cost is not the registers' doing.
    """
    full = steps[0][1] if steps else None
    shades = []
    for position, (waves, share) in enumerate(_SHARES):
        fitting = [most for most, step in steps if full is not None and _keeps(step / full, waves, position)]
        shades.append(min(max(fitting, default=budget), int(share * budget)))
    return shades[0], max(shades[:2]), max(shades)


def _keeps(ratio: Fraction, share: float, position: int) -> bool:
    return ratio >= share if not position else ratio > share


_PACK = 1 << 18  # bytes of JSON that a browser unpacks at once


def plain(text: str) -> str:
    """Text as the page shows it: hidden and reordering characters written out, as in the terminal."""
    return well_formed("\t".join(visible(part) for part in text.split("\t")))


def packed(value: object) -> str:
    """JSON as base64 of a zlib stream, which every browser unpacks by itself."""
    return _compressed(json.dumps(value, separators=(",", ":")))


def joined(files: Iterable[str]) -> list[tuple[list[int], str]]:
    """Join the packs of files into larger ones, which are smaller in total; each with the numbers of its files."""
    packs: list[tuple[list[int], list[str]]] = []
    size = _PACK
    for at, file in enumerate(files):
        if file:
            text = zlib.decompress(base64.b64decode(file)).decode()
            if size >= _PACK:
                packs.append(([], []))
                size = 0
            packs[-1][0].append(at)
            packs[-1][1].append(text)
            size += len(text)
    return [(numbers, _compressed(f"[{','.join(parts)}]")) for numbers, parts in packs]


def _compressed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def page_findings(data: bytes, diagnostics: Iterable[Diagnostic]) -> tuple[PageFinding, ...]:
    """Findings of a file with these bytes, with what each fix changes."""
    from regpress_lint.core.fixes import apply, unified_diff

    findings = []
    for diagnostic in diagnostics:
        fixed = data if diagnostic.fix is None else apply(data, (diagnostic.fix,))[0]
        findings.append(PageFinding(diagnostic, unified_diff(diagnostic.location.path, data, fixed)))
    return tuple(findings)


def places(files: Sequence[PageFile], findings: Iterable[PageFinding]) -> list[tuple[int, int] | None]:
    """The kernel that each finding is about, as file and number in it; None for one about the file."""
    by_path = {file.path: at for at, file in enumerate(files)}
    lines: list[tuple[int, int] | None] = []
    for diagnostic, _ in findings:
        at, line = by_path.get(diagnostic.location.path), diagnostic.location.start.line
        kernels = () if at is None else files[at].kernels
        named = [i for i, entry in enumerate(kernels) if entry.row.name == diagnostic.kernel]
        inside = [i for i in named if kernels[i].row.line <= line <= kernels[i].row.end_line]
        chosen = next(iter(inside or named), None)
        lines.append(None if at is None or chosen is None else (at, chosen))
    return lines


def findings_data(files: Sequence[PageFile], findings: Sequence[PageFinding]) -> list[dict[str, Any]]:
    """All findings, worst first; `kernel` is the number of the kernel in the index."""
    starts, total = [], 0
    for file in files:
        starts.append(total)
        total += len(file.kernels)
    entries = [
        _finding(finding, None if place is None else starts[place[0]] + place[1])
        for finding, place in zip(findings, places(files, findings), strict=True)
    ]
    order = sorted(range(len(entries)), key=lambda i: (-findings[i].diagnostic.severity, i))
    return [entries[i] for i in order]


def _finding(finding: PageFinding, kernel: int | None) -> dict[str, Any]:
    diagnostic, diff = finding
    location, fix = diagnostic.location, diagnostic.fix
    return {
        "code": plain(diagnostic.code),
        "name": plain(diagnostic.name),
        "severity": diagnostic.severity.label,
        "path": plain(location.path),
        "line": location.start.line,
        "column": location.start.column,
        "text": plain(location.line_text.strip()),
        "kernel": kernel,
        "targets": list(map(plain, diagnostic.targets)),
        "message": plain(diagnostic.message),
        "help": plain(diagnostic.help),
        "url": plain(diagnostic.url),
        "related": [
            [plain(note.location.path), note.location.start.line, plain(note.message)] for note in diagnostic.related
        ],
        "fix": None if fix is None else [plain(fix.title), fix.applicability],
        "diff": [plain(line) for line in diff.split("\n")[2:] if line],
    }


def page_file(path: str, kernels: Sequence[Shown]) -> PageFile:
    texts: dict[str, dict[int, str]] = {}
    for section in (section for kernel in kernels for section in kernel.sections):
        lines = texts.setdefault(section.path, {})
        for line, text in zip(section.pressure.lines, section.text, strict=True):
            lines[line.line] = plain(text.rstrip())
    entries = []
    for kernel in kernels:
        shades = {section.target: tones(section.steps, section.budget) for section in kernel.sections}
        entries.append(Entry(kernel.heading, kernel.row, shades))
    sources = {plain(name): _runs(lines) for name, lines in texts.items()}
    index = {"sources": sources, "kernels": list(map(_detail, kernels))}
    return PageFile(path, tuple(entries), packed(index) if kernels else "")


def _runs(lines: Mapping[int, str]) -> list[tuple[int, list[str]]]:
    """Lines of a file as runs of neighbours, each with the number of its first."""
    runs: list[tuple[int, list[str]]] = []
    for line, text in sorted(lines.items()):
        if not runs or runs[-1][0] + len(runs[-1][1]) != line:
            runs.append((line, []))
        runs[-1][1].append(text)
    return runs


# --------------------------------------------------------------------------------------------------------- the index


def index(title: str, files: Sequence[PageFile], findings: Sequence[PageFinding], summary: str) -> dict[str, Any]:
    """The data that the page opens with: the content of its tables."""
    counts: dict[tuple[int, int], list[int]] = {}
    codes: dict[tuple[int, int], dict[str, None]] = {}
    for (diagnostic, _), place in zip(findings, places(files, findings), strict=True):
        if place is not None:
            counts.setdefault(place, [0, 0, 0, 0])[3 - diagnostic.severity] += 1
            codes.setdefault(place, {})[f"{diagnostic.code} {diagnostic.name}"] = None
    kernels = [
        _kernel(entry, at, counts.get((at, i), [0, 0, 0, 0]), [*codes.get((at, i), ())])
        for at, file in enumerate(files)
        for i, entry in enumerate(file.kernels)
    ]
    names = dict.fromkeys(target.name for file in files for entry in file.kernels for target in entry.row.targets)
    return {
        "title": plain(title),
        "summary": plain(summary),
        "findings": len(findings),
        "lds": in_words_of(vendor_of(names), "LDS"),
        "waves": in_words_of(vendor_of(names), "waves"),
        "targets": {name: _words(name) for name in names},
        "marks": list(map(plain, marks([entry.row for file in files for entry in file.kernels]))),
        "kernels": kernels,
    }


def _words(target: str) -> dict[str, str]:
    """A target's own words."""
    from regpress_lint.targets.occupancy import architecture

    say = partial(in_words_of, vendor_of((target,)))
    return {
        "title": architecture(target).title,
        "vendor": architecture(target).vendor,
        "waves": say("waves"),
        "wave": say("wave"),
        "per_simd": say("waves per SIMD"),
        "lds": say("LDS"),
    }


def _kernel(entry: Entry, file: int, counts: list[int], codes: list[str]) -> dict[str, Any]:
    row = entry.row
    return {
        "file": file,
        "name": plain(entry.heading),
        "path": plain(row.path),
        "line": row.line,
        "language": row.language,
        "complete": row.complete,
        "block": row.block_size,
        "block_from": row.block_size_from,
        "launches": [[plain(at.path), at.line, at.block_size, at.dynamic_lds_bytes] for at in row.launches],
        "counts": counts,
        "codes": list(map(plain, codes)),
        "targets": [_target(target, lds_of(row, target), entry.tones.get(target.name)) for target in row.targets],
    }


def _target(target: TargetRow, lds: int | None, limits: tuple[int, int, int] | None) -> dict[str, Any]:
    now, say = target.occupancy, partial(in_words_of, vendor_of((target.name,)))
    return {
        "name": target.name,
        "registers": list(target.registers),
        "spread": list(spread(target)),
        "budget": target.budget,
        "scratch": target.scratch_bytes,
        "lds": lds,
        "waves": now.waves_per_simd,
        "most": now.max_waves_per_simd,
        "limited": say(limiters(now.limiters)),
        "next": "" if now.next is None else say(step_words(now.next)),
        "unserved": None if (no := target.unserved) is None else plain(f"{no.verdict}: {no.reason}"),
        "broken": [plain(budget.text) for budget in target.budgets if budget.verdict != "kept"],
        "tones": limits,
    }


# ------------------------------------------------------------------------------------------------------ the sections


def _detail(kernel: Shown) -> dict[str, Any]:
    numbers: dict[Value, int] = {}  # on several targets mostly the same values are live
    sections = [_section(section, numbers) for section in kernel.sections]
    advice = [(target, plain(text)) for target, text in kernel.advice]
    sweep = None if kernel.swept is None else _sweep(kernel.swept)
    return {"sections": sections, "values": _columns([*numbers]), "advice": advice, "sweep": sweep}


def _sweep(swept: Swept) -> dict[str, Any]:
    points = [
        {
            "values": list(map(plain, point.values)),
            "reason": plain(point.reason),
            "targets": {row.name: _point(row, point) for row in point.targets},
        }
        for point in swept.points
    ]
    return {"axes": list(map(plain, swept.axes)), "points": points}


def _point(row: TargetRow, point: Point) -> dict[str, Any]:
    now = row.occupancy.waves_per_simd
    return {
        "registers": list(row.registers),
        "budget": row.budget,
        "scratch": row.scratch_bytes + row.excess_bytes,
        "waves": now,
        "open": list(dict(point.open).get(row.name, (now, now))),
        "best": row.name in point.best,
        "unserved": None if row.unserved is None else plain(row.unserved.reason),
    }


def _section(section: Section, numbers: dict[Value, int]) -> dict[str, Any]:
    indices = [numbers.setdefault(_kept(value), len(numbers)) for value in section.pressure.values]
    bars, lines, peak = scale(section), section.pressure.lines, section.peak
    return {
        "target": section.target,
        "path": plain(section.path),
        "arguments": plain(section.arguments),
        "facts": [(label, plain(sentence)) for label, sentence in facts_of(section)],
        "steps": [(most, round(float(waves), 4), number(waves)) for most, waves in section.steps],
        "top": bars.top,
        "first": lines[0].line if lines else 0,
        "peak": None if peak is None else peak.line,
        "live": [line.live for line in lines],
        "extra": [line.extra for line in lines],
        "scalar": [line.scalar for line in lines] if any(line.scalar for line in lines) else [],
        "still": [index for index, line in enumerate(lines) if not line.code],
        "beyond": {index: list(map(plain, texts)) for index, line in enumerate(lines) if (texts := extras(line))},
        "insides": {index: list(map(plain, texts)) for index, line in enumerate(lines) if (texts := insides(line))},
        "asides": {index: plain(text) for index, line in enumerate(lines) if (text := _aside(line))},
        "changes": _changes(lines, indices),
    }


def _aside(line: LinePressure) -> str:
    """The text after the code of a line."""
    if line.routine is not None:
        return f"+{line.routine.registers} in {line.routine.name}"
    return f"in {line.inlined[0].name}" if line.inlined else ""


def _changes(lines: Iterable[LinePressure], indices: Sequence[int]) -> list[list[int]]:
    """The live values of each line that differ from the line before: value, registers and copies of each, in a row; no
    registers for a value that is gone.
    """
    changes, before = [], dict[int, tuple[int, int]]()
    for line in lines:
        now: dict[int, tuple[int, int]] = {}
        for entry in line.values:
            registers, copies = now.get(indices[entry.value], (0, 0))
            now[indices[entry.value]] = (registers + entry.registers, copies + entry.copies)
        gone = [part for value in before if value not in now for part in (value, 0, 0)]
        new = [part for value, held in now.items() if before.get(value) != held for part in (value, *held)]
        changes.append([*gone, *new])
        before = now
    return changes


def _kept(value: Value) -> Value:
    """A value without what a line says of it."""
    return value._replace(registers=0, copies=0)


def _columns(values: Sequence[Value]) -> dict[str, Any]:
    """Values as columns, which pack best; what most do not have is by their number."""
    value_notes = list(map(notes, values))
    return {
        "name": [plain(value.name) for value in values],
        "type": _table([plain(value.type) for value in values]),
        "kind": _table([value.kind for value in values]),
        "defined": [value.defined for value in values],
        "used": [value.last_used - value.defined for value in values],
        "lines": {
            i: value.lines for i, value in enumerate(values) if {*value.lines} != {value.defined, value.last_used}
        },
        "scalar": [i for i, value in enumerate(values) if value.scalar],
        "guessed": [i for i, value in enumerate(values) if value.guessed],
        "always": {i: plain(words.always) for i, words in enumerate(value_notes) if words.always},
        "notes": {i: words.on_lines for i, words in enumerate(value_notes) if words.on_lines},
    }


def _table(words: Sequence[str]) -> tuple[list[str], list[int]]:
    """Words as a list of all that there are, and the number of each."""
    positions = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return [*positions], [positions[word] for word in words]
