"""Contents of a page of `report` or `pressure --html`, as a browser reads it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

TWO = """#include <hip/hip_runtime.h>
__global__ void evil(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i]; // </script><img src=x onerror="document.title='owned'"> <!-- & &amp; "quoted" 'x'
  /* </style> ]]> <b>bold</b> </code></div>
     \u202e reversed \u2028 */ float b = a * 2;
  double wide = pow(in[n], 2.0);
  for (int j = 0; j < n; j++)
    b += in[i + j] * a;
  out[i] = a + b * wide; // "</textarea>
}
template <int N> __global__ void tile(float *out, const float *in) {
  float own[N];
  for (int k = 0; k < N; ++k) own[k] = in[k * 64 + threadIdx.x];
  for (int k = 0; k < N; ++k) out[k * 64 + threadIdx.x] = own[N - 1 - k] * own[k];
}
void launch(float *out, const float *in) {
  tile<4><<<8, 128>>>(out, in);
  tile<24><<<8, 128>>>(out, in);
  tile<16><<<8, 128>>>(out, in);
}
"""
HOSTILE = "<img src=x>&'.hip"


def block(text: str, name: str) -> str:
    """The text of one block of data."""
    (found,) = re.findall(rf'<script type="application/octet-stream" id="{name}">([A-Za-z0-9+/=]*)</script>', text)
    assert isinstance(found, str)
    return found


def unpacked(text: str) -> Any:
    """The value that `packed` compressed."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


def index(text: str) -> Any:
    """The first part of the page."""
    return unpacked(block(text, "index"))


def findings(text: str) -> Any:
    """All findings of a page."""
    return unpacked(block(text, "findings"))


def detail(text: str, at: int) -> Any:
    """Sources and kernels of a file of a page."""
    packs = index(text)["packs"]
    pack = next(i for i, files in enumerate(packs) if at in files)
    return unpacked(block(text, f"pack-{pack}"))[packs[pack].index(at)]


def value(columns: Any, number: int) -> tuple[Any, ...]:
    """A value of a kernel: name, type, kind, and the lines of its definition, its last use and all."""
    defined = columns["defined"][number]
    used = defined + columns["used"][number]
    (types, type_), (kinds, kind) = columns["type"], columns["kind"]
    lines = columns["lines"].get(str(number), sorted({defined, used}))
    return columns["name"][number], types[type_[number]], kinds[kind[number]], defined, used, lines


def live(section: Any) -> list[dict[int, tuple[int, int]]]:
    """Live values on each line of a section: registers and copies by value."""
    held: dict[int, tuple[int, int]] = {}
    found = []
    for line in section["changes"]:
        for value, registers, copies in zip(line[::3], line[1::3], line[2::3], strict=True):
            if registers:
                held[value] = (registers, copies)
            else:
                del held[value]
        found.append(dict(held))
    return found
