"""The page of `pressure --html`: whole in one file, safe whatever the source holds, alive in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import run

if TYPE_CHECKING:
    from pathlib import Path

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
in_a_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium on PATH")
SOURCE = """#include <hip/hip_runtime.h>
// </script><script>document.title = "owned"</script>
__global__ void evil(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i]; // </script><img src=x onerror="document.title='owned'"> <!-- & &amp; "quoted" 'x'
  /* </style> ]]> <b>bold</b> </code></div>
     \u202e reversed \u2028 */ float b = a * 2;
  double wide = in[n];
  for (int j = 0; j < n; j++)
    b += in[i + j] * a;
  out[i] = a + b * wide; // "</textarea>
}
__global__ void other(float *out) { out[threadIdx.x] = 1; }
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    name = "<img src=x>&'.hip"
    (tmp_path / name).write_text(SOURCE)
    result = run(capsys, "pressure", name, "--html", "page.html")
    assert (result.status, result.out, result.err) == (0, "", "")
    return tmp_path / "page.html"


def embedded(text: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(found)


def test_nothing_of_the_source_becomes_markup(page: Path) -> None:
    text = page.read_text()
    assert text.count("<script") == text.count("</script>") == 2
    assert text.count("<style") == text.count("</style>") == 1
    assert "<img" not in text
    assert "<!--" not in text
    assert "<b>bold" not in text
    assert "\u202e" not in text
    assert "\u2028" not in text
    assert "&lt;/script&gt;&lt;img src=x onerror=" in text
    assert "&amp;amp;" in text


def test_nothing_is_fetched(page: Path) -> None:
    text = page.read_text()
    assert "default-src 'none'" in text
    markup = re.sub(r"<code>.*?</code>", "", text, flags=re.DOTALL)
    assert not re.search(r"https?://|\bsrc=(?!x&gt;)|@import|url\(|<link", markup)


def test_the_data_is_that_of_the_json_form(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = embedded(page.read_text())["kernels"]
    found = json.loads(run(capsys, "pressure", "<img src=x>&'.hip", "--output-format", "json").out)["kernels"]
    assert len(shown) == len(found) == 2
    for one, two in zip(shown, found, strict=True):
        assert one["values"] == two["values"]
        extra = ("beyond", "insides", "remarks")
        assert [{k: v for k, v in line.items() if k not in extra} for line in one["lines"]] == two["lines"]


def test_rows_are_there_without_a_script(page: Path) -> None:
    text = page.read_text()
    rows = re.findall(r'id="k0-L(\d+)"', text)
    assert rows == [str(number) for number in range(3, 13)]
    assert len(re.findall(r'class="row[^"]*\bpeak\b', text)) == 2
    assert "linear-gradient" in text
    assert "alive at the peak" in text


def test_json_and_html_together(tmp_path: Path, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "<img src=x>&'.hip"
    result = run(capsys, "pressure", name, "--html", str(tmp_path / "two.html"), "--output-format", "json")
    assert json.loads(result.out)["version"] == 1
    assert (tmp_path / "two.html").read_text() == page.read_text()


def test_bytes_that_are_no_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "latin.hip", tmp_path / "latin.html"
    source.write_bytes(SOURCE.encode().replace(b"quoted", b"\xe9\xff"))
    assert run(capsys, "pressure", str(source), "--html", str(target)).status == 0
    assert "evil" in target.read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------- in a browser


def dom(page: Path, place: str = "", script: str = "") -> str:
    """The page's DOM after loading it at a place (`#k0-L5`), with a script run behind the page's own."""
    if script:
        page = page.with_name("scripted.html")
        page.write_text(page.with_name("page.html").read_text().replace("</body>", f"<script>{script}</script></body>"))
    assert BROWSER is not None
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{page}{place}"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    return done.stdout.decode()


def panel(text: str) -> str:
    (found,) = re.findall(r'<div id="panel"[^>]*>(.*?)</div>', text, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", found)


@in_a_browser
def test_hostile_source_stays_text_in_a_browser(page: Path) -> None:
    text = dom(page)
    assert "<title>&lt;img src=x&gt;&amp;'.hip: register pressure</title>" in text
    assert "<img" not in text
    assert "evil, line 11" in panel(text)  # the peak, before anything is pointed at


@in_a_browser
def test_pointing_at_a_line_shows_what_is_live_there(page: Path) -> None:
    hover = "document.getElementById('k0-L5').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
    text = dom(page, script=hover)
    shown = panel(text)
    assert "evil, line 5:" in shown
    assert re.search(r"\ba\s+float\s+1\s+5\s+11\s+load", shown)
    assert "wide" not in shown
    assert 'class="row' in text


@in_a_browser
def test_a_pinned_line_stays_and_another_place_is_linked(page: Path) -> None:
    hover = "document.getElementById('k0-L5').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))"
    text = dom(page, "#k0-L10", hover.replace("evil", ""))
    assert "evil, line 5" in panel(dom(page, script=hover))
    scripted = page.with_name("scripted.html")
    assert scripted.exists()
    assert "evil, line 10:" in panel(text)
    assert re.search(r'class="[^"]*\bpinned\b[^"]*" id="k0-L10"', text)


@in_a_browser
def test_keys_move_and_a_value_marks_its_lines(page: Path) -> None:
    press = (
        "const row = document.querySelector('.row.peak'); row.focus();"
        "row.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', bubbles: true}));"
        "const name = [...document.querySelectorAll('#panel tr')].find(r => r.textContent.startsWith('wide'));"
        "name.dispatchEvent(new MouseEvent('mouseenter'));"
    )
    text = dom(page, script=press)
    assert "evil, line 10:" in panel(text)
    marked = re.findall(r'class="row[^"]*\btouch\b[^"]*" id="k0-L(\d+)"', text)
    assert marked == ["8", "11"]
