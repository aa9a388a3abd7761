"""Inputs of HeCBench programs that it does not hold, made up: the same on every machine."""

from __future__ import annotations

import itertools
import math
import random
import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def _numbers(count: int, seed: int = 1) -> list[float]:
    chosen = random.Random(seed)
    return [chosen.random() for _ in range(count)]


def _seismic(where: Path) -> None:
    """Traces of SEG-Y as Seismic Unix has them: header of 240 bytes, samples as floats."""
    samples, lines = 1000, []
    noise = _numbers(samples, 3)
    for point in range(20):
        for trace in range(40):
            header = bytearray(240)
            struct.pack_into("<i", header, 20, point + 1)
            struct.pack_into("<hh4i", header, 68, 1, 1, 0, 0, 20 * trace, 0)
            struct.pack_into("<HH", header, 114, samples, 2000)
            shifted = noise[trace:] + noise[:trace]
            lines.append(bytes(header) + struct.pack(f"<{samples}f", *shifted))
    (where / "data.su").write_bytes(b"".join(lines))


def _bigrams(where: Path) -> None:
    """Costs of letter pairs, from the text that the program expects."""
    match = re.search(r'DECRYPTED_T "(\w+)"', (where / "main.cu").read_text())
    text = match[1] if match else ""
    pairs = [first + second for first, second in itertools.pairwise(text)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    lines = [f"{a}{b} {1.0 / (1 + pairs.count(a + b)):.6f}" for a in letters for b in letters]
    (where / "data").write_text("\n".join(lines) + "\n")


def _reads(where: Path) -> None:
    chosen = random.Random(5)
    families = ["".join(chosen.choice("ACGT") for _ in range(600)) for _ in range(40)]
    lines = []
    for number in range(2000):
        letters = list(families[number % 40])
        for _ in range(12):
            letters[chosen.randrange(600)] = chosen.choice("ACGT")
        lines.append(f">read{number}\n{''.join(letters)}")
    (where / "data.fasta").write_text("\n".join(lines) + "\n")


def _graph(where: Path) -> None:
    """A graph in the format of ECL: nodes, edges, starts, neighbours, weights, all as ints."""
    chosen, nodes, degree = random.Random(7), 1024, 16
    starts = [degree * node for node in range(nodes + 1)]
    neighbours = [chosen.randrange(nodes) for _ in range(nodes * degree)]
    weights = [chosen.randrange(1, 100) for _ in range(nodes * degree)]
    values = [nodes, nodes * degree, *starts, *neighbours, *weights]
    (where / "data.egr").write_bytes(struct.pack(f"<{len(values)}i", *values))


def _places(where: Path) -> None:
    numbers = _numbers(4096)
    lines = [f"{180 * a - 90:.4f} {360 * b - 180:.4f}" for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
    (where / "data.txt").write_text("\n".join(lines * 1024) + "\n")


def _counts(where: Path) -> None:
    numbers = _numbers(100_000)
    (where / "data.csv").write_text("".join(f"{int(20 * number)} {1 + 5 * number:.4f}\n" for number in numbers))


def _crystal(where: Path) -> None:
    numbers = _numbers(3 * 424)
    lines = ["25.832 25.832 25.832", "90 90 90", "424 0", "made up"]
    for atom in range(424):
        x, y, z = numbers[3 * atom : 3 * atom + 3]
        lines.append(f"{atom + 1} {('Zn', 'O', 'C', 'H')[atom % 4]} {x:.5f} {y:.5f} {z:.5f} 0")
    (where / "data.cssr").write_text("\n".join(lines) + "\n")


def _line(where: Path) -> None:
    path = where.parent / "lr-sycl" / "assets" / "temperature.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = _numbers(96_453)
    path.write_text("".join(f"{number:.4f}\t{3 * number + 0.1 * math.sin(40 * number):.4f}\n" for number in numbers))


def _alphas(where: Path) -> None:
    (where / "data.csv").write_text("".join(f"{number:.4f}\n" for number in _numbers(26_280 * 21)))


def _scan(where: Path) -> None:
    rows, points = 2048, 262_144
    values = _numbers(5 * rows + 3 * points)
    (where / "data.bin").write_bytes(struct.pack(f"<2i{len(values)}f", rows, points, *values))


def _twisters(where: Path) -> None:
    chosen = random.Random(11)
    (where / "data").mkdir(exist_ok=True)
    fixed = (9, 19, 1, 32, 0xFFFFFFFF, 0xFFFFFFFE, 1, 12, 18, 7, 15)
    records = [
        struct.pack("<16I", chosen.getrandbits(32), *fixed, chosen.getrandbits(32), chosen.getrandbits(32), 0, 0)
        for _ in range(4096)
    ]
    (where / "data" / "MersenneTwister.raw").write_bytes(b"".join(records))
    stripped = [record[:4] + record[48:56] + bytes(4) for record in records]
    (where / "data" / "MersenneTwister.dat").write_bytes(b"".join(stripped))


def _weights(where: Path) -> None:
    (where / "data").mkdir(exist_ok=True)
    values = [number - 0.5 for number in _numbers(36 * 256 * 256)]
    (where / "data" / "all.bin").write_bytes(struct.pack(f"<{len(values)}f", *values))
    for name in ("input_14_1", "bias", "weight_winograd", "bnBias_winograd", "bnScale_winograd"):
        for width in (128, 256):
            square = f"_{width}" if name.startswith("weight") else ""
            link = where / "data" / f"{name}_{width}{square}.bin"
            if not link.exists():
                link.symlink_to("all.bin")


def _temperatures(where: Path) -> None:
    """Temperature and power of each cell of a square, one a line."""
    cells = _numbers(512 * 512)
    (where / "data.temp").write_text("".join(f"{320 + 20 * number:.3f}\n" for number in cells))
    (where / "data.power").write_text("".join(f"{0.01 * number:.6f}\n" for number in reversed(cells)))


def _bitmap(where: Path) -> None:
    """A picture of Windows with 24 bits a pixel."""
    width, height = 1024, 512
    pixels = random.Random(13).randbytes(3 * width * height)
    header = struct.pack("<2sihhi", b"BM", 54 + len(pixels), 0, 0, 54)
    shape = struct.pack("<iiihhIIiiii", 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0)
    (where / "data.bmp").write_bytes(header + shape + pixels)


INPUTS = {
    "seismic": _seismic,
    "bigrams": _bigrams,
    "reads": _reads,
    "graph": _graph,
    "places": _places,
    "counts": _counts,
    "crystal": _crystal,
    "line": _line,
    "alphas": _alphas,
    "scan": _scan,
    "twisters": _twisters,
    "weights": _weights,
    "temperatures": _temperatures,
    "bitmap": _bitmap,
}
