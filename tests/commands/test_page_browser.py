"""The page of `report` and `pressure --html` in headless Chromium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CUDA, SYCL, run
from page_helpers import HOSTILE, TWO

from tools.measure import chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser


SEARCH = (
    "(search => { search.value = '%s'; search.dispatchEvent(new Event('input')); })(document.getElementById('search'))"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[chromium.Chromium]:
    if (reason := chromium.missing()) is not None:
        pytest.skip(reason)
    with chromium.Chromium() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`report` and `pressure --html` of the same sources."""
    from regpress_lint.__main__ import main

    folder = tmp_path_factory.mktemp("pages")
    source = folder / "src"
    source.mkdir()
    (source / HOSTILE).write_text(TWO)
    (source / "a.cu").write_text(CUDA)
    (source / "b.cpp").write_text(SYCL)
    assert (
        main(
            [
                "report",
                "-o",
                str(folder / "report.html"),
                str(source),
                "--arch",
                "gfx90a,sm_90,pvc",
                "--sweep",
                "block=64,256,512",
            ]
        )
        == 0
    )
    assert main(["pressure", str(source / HOSTILE), "--kernel", "evil", "--html", str(folder / "evil.html")]) == 0
    return folder


@pytest.fixture
def report(browser: chromium.Chromium, pages: Path) -> Iterator[chromium.Chromium]:
    browser.look(1400, 900)
    browser.open((pages / "report.html").as_uri())
    yield browser
    assert browser.errors == [], "nothing fails, nothing is fetched, nothing is refused by the page's own policy"


@pytest.fixture
def evil(browser: chromium.Chromium, pages: Path) -> Iterator[chromium.Chromium]:
    browser.look(1400, 900)
    browser.open((pages / "evil.html").as_uri())
    browser.wait("document.querySelector('#panel h3') !== null")
    yield browser
    assert browser.errors == []


def rows(browser: chromium.Chromium) -> list[str]:
    found = browser.value("[...document.querySelectorAll('tr[data-at]')].map(row => row.cells[0].innerText)")
    assert isinstance(found, list)
    return found


def column(browser: chromium.Chromium, at: int) -> list[int]:
    found = browser.value(
        f"[...document.querySelectorAll('tr[data-at]')].map(row => parseInt(row.cells[{at}].innerText))"
    )
    assert isinstance(found, list)
    return found


def panel(browser: chromium.Chromium) -> str:
    return str(browser.value("document.getElementById('panel').innerText"))


def search(browser: chromium.Chromium, text: str) -> list[str]:
    browser.value(SEARCH % text)
    return rows(browser)


def test_kernels_are_sorted_worst_first_and_by_any_column(report: chromium.Chromium) -> None:
    assert len(rows(report)) == 4
    counts = report.value("[...document.querySelectorAll('tr[data-at]')].map(row => row.cells[3].innerText !== '')")
    assert counts == sorted(counts, reverse=True)
    report.value("document.querySelector('[data-key=registers]').click()")
    assert column(report, 4) == sorted(column(report, 4), reverse=True)
    report.value("document.querySelector('[data-key=registers]').click()")
    assert column(report, 4) == sorted(column(report, 4))
    assert report.value("document.querySelector('[aria-sort=ascending]').innerText").startswith("registers")


def test_kernels_are_searched_by_words_and_numbers(report: chromium.Chromium) -> None:
    assert search(report, "tile") == ["tile"]
    assert sorted(search(report, "RP201 findings>0")) == ["evil", "square", "square"]
    assert search(report, "registers>100000") == []
    every = column(report, 4) if search(report, "") else []
    most = max(every)
    assert len(search(report, f"registers>={most}")) == every.count(most)


def test_rows_of_kernels_with_one_name_differ_on_a_narrow_screen(report: chromium.Chromium) -> None:
    assert sorted(rows(report)).count("square") == 2  # their places are in a column of their own
    report.look(420, 900)
    narrow = rows(report)
    assert len(set(narrow)) == len(narrow)
    assert any("a.cu:" in row for row in narrow)
    inside = "document.querySelector('tr[data-at] .place').getBoundingClientRect().right <= 420"
    assert report.value(inside), "it is seen without scrolling to the side"


def test_all_targets_have_a_row_each(report: chromium.Chromium) -> None:
    report.value("[...document.querySelectorAll('.toggle button')].find(b => b.innerText === 'all targets').click()")
    assert len(rows(report)) == 12
    report.press("t")
    assert len(rows(report)) == 4


def test_a_sweep_is_a_curve_with_a_point_per_value(report: chromium.Chromium) -> None:
    report.value("location.hash = '#k0/sm_90'")
    report.wait("document.querySelector('figure.sweep') !== null")
    assert report.value("document.querySelectorAll('figure.sweep circle').length") == 3
    rows = report.value("[...document.querySelectorAll('.pair tbody tr')].map(row => row.cells[0].innerText)")
    assert rows == ["64", "256", "512"]


def test_keys_lead_to_a_kernel_and_back(report: chromium.Chromium) -> None:
    report.press("/")
    assert report.value("document.activeElement.id") == "search"
    report.press("Escape")
    report.press("j")
    report.press("j")
    first = rows(report)[0]
    report.press("k")
    assert report.value("document.activeElement.innerText") == first
    report.press("Enter")
    report.wait("document.querySelector('h2') !== null && document.querySelector('#panel h3') !== null")
    assert report.value("document.querySelector('h2').innerText").startswith(first)
    report.press("t")
    report.wait("location.hash.endsWith('/sm_90')")
    report.press("j")
    report.wait(f"document.querySelector('h2') && !document.querySelector('h2').innerText.startsWith({first!r})")
    report.press("Escape")
    report.wait("document.querySelector('table.kernels') !== null")


def test_findings_are_shown_with_their_fixes(report: chromium.Chromium) -> None:
    report.value("[...document.querySelectorAll('.toggle button')].find(b => /findings/.test(b.innerText)).click()")
    report.wait("document.querySelector('.finding') !== null")
    added = report.value("[...document.querySelectorAll('.added')].map(line => line.innerText.trim())")
    assert "+  x[i] = x[i] * x[i];" in added
    severities = report.value("[...document.querySelectorAll('.finding')].map(each => each.className)")
    assert len(severities) > 2
    order = ["finding error", "finding warning", "finding info", "finding hint"]
    assert severities == sorted(severities, key=order.index)
    report.value(SEARCH % "rp201 square")
    assert report.value("document.querySelectorAll('.finding').length") == 2


def test_labels_of_the_curve_do_not_overlap(report: chromium.Chromium) -> None:
    for at in range(4):
        for target in ("gfx90a", "sm_90", "pvc"):
            report.value(f"location.hash = '#k{at}/{target}'")
            report.wait(
                f"document.querySelector('h2') && document.querySelector('h2').innerText.includes('{target} (')"
            )
            boxes = report.value(
                "[...document.querySelectorAll('svg text')].map(text => text.getBoundingClientRect())"
                ".map(box => [box.left, box.right, box.top + 2, box.bottom - 2])"
            )
            pairs = [(one, two) for i, one in enumerate(boxes) for two in boxes[:i]]
            assert not [
                (one, two)
                for one, two in pairs
                if one[0] < two[1] and two[0] < one[1] and one[2] < two[3] and two[2] < one[3]
            ], (at, target)


def test_hostile_sources_stay_text(evil: chromium.Chromium) -> None:
    assert evil.value("document.title").endswith("<img src=x>&'.hip: register pressure")
    assert evil.value("document.querySelectorAll('img, textarea, #app script').length") == 0
    code = evil.value("[...document.querySelectorAll('.row code')].map(line => line.innerText)")
    assert len(code) == 10
    assert code[2].startswith(
        "  float a = in[i]; // </script><img src=x onerror=\"document.title='owned'\"> <!-- & &amp;"
    )
    assert "\\u202e reversed" in code[4]


NAMES = (
    "\"><svg onload=document.title='owned'>.cu",
    "javascript:document.title='owned'.cu",
    "a\nb<img src=x onerror=document.title='owned'>.cu",
    "__proto__.cu",
    "{{7*7}}${7*7}`.cu",
    "#k0%2f..%2f]]>.cu",
)


def test_names_of_files_and_kernels_stay_text(browser: chromium.Chromium, tmp_path: Path) -> None:
    """Every kernel's view of a report is opened: nothing runs, nothing fails, and no name is a key of JavaScript's."""
    from regpress_lint.__main__ import main

    for name, kernel in zip(NAMES, ("__proto__", "constructor", "toString", "hasOwnProperty", "k", "k"), strict=True):
        (tmp_path / name).write_text(CUDA.replace("square", kernel))
    page = tmp_path / "report.html"
    assert main(["report", "--no-cache", "-o", str(page), str(tmp_path), "--arch", "sm_90"]) == 0
    browser.open(page.as_uri())
    assert sorted(rows(browser)) == sorted(("__proto__", "constructor", "toString", "hasOwnProperty", "k", "k"))
    for at in range(len(NAMES)):
        browser.value(f"location.hash = '#k{at}/sm_90'")
        browser.wait("document.querySelector('#panel h3') !== null")
        assert browser.value("document.title") != "owned"
    assert browser.value("document.querySelectorAll('img, iframe, svg[onload], #app script').length") == 0
    assert browser.errors == []


def test_the_one_kernel_of_a_page_is_shown_at_its_peak(evil: chromium.Chromium) -> None:
    peak = evil.value("document.querySelector('.row.peak').id.slice(1)")
    assert panel(evil).startswith(f"line {peak}: ")
    assert evil.value("document.querySelectorAll('.row.peak').length") == 1


def test_hovering_over_a_line_shows_live_values_and_a_click_keeps_them(evil: chromium.Chromium) -> None:
    over = "document.getElementById('L{}').dispatchEvent(new MouseEvent('{}', {{bubbles: true}}))"
    evil.value(over.format(4, "mouseover"))
    assert re.search(r"^line 4: ", panel(evil))
    evil.value(over.format(9, "click"))
    assert re.search(r"\ba float\s+1\s+4\s+10\s+load", panel(evil))
    evil.value(over.format(4, "mouseover"))
    assert panel(evil).startswith("line 9: ")
    evil.value(
        "[...document.querySelectorAll('#panel tr')].find(row => row.innerText.startsWith('a float'))"
        ".dispatchEvent(new MouseEvent('mouseenter'))"
    )
    assert evil.value("[...document.querySelectorAll('.touch')].map(row => row.id)") == ["L4", "L6", "L9", "L10"]


def test_arrows_move_in_the_source(evil: chromium.Chromium) -> None:
    peak = int(evil.value("document.querySelector('.row.peak').id.slice(1)"))
    evil.value("document.querySelector('.rows').focus()")
    evil.press("ArrowUp")
    assert panel(evil).startswith(f"line {peak - 1}: ")
    evil.press("End")
    assert panel(evil).startswith("line 11: ")


def test_a_small_kernel_has_no_bad_colour_and_long_lines_scroll(
    browser: chromium.Chromium, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "small.cu"
    text = "// " + "long " * 100
    source.write_text(f"__global__ void small(float *x) {{\n  x[threadIdx.x] = 1; {text}\n}}\n")
    assert run(capsys, "pressure", source, "--html", tmp_path / "small.html").status == 0
    browser.look(500, 800)
    browser.open((tmp_path / "small.html").as_uri())
    browser.wait("document.querySelector('.row') !== null")
    assert browser.value("document.querySelectorAll('.bar.tone1, .bar.tone2, .bar.tone3').length") == 0
    assert browser.value("(box => box.scrollWidth > box.clientWidth)(document.querySelector('.rows'))") is True
    assert browser.value("document.documentElement.scrollWidth <= innerWidth") is True


def test_dark_and_light_are_both_readable(report: chromium.Chromium) -> None:
    """Text has the contrast to its background that WCAG requires of normal text."""
    contrast = """(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const light = colour => {
        canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(v => v / 255)
          .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const style = getComputedStyle(document.documentElement);
      const paper = light(style.getPropertyValue('--paper'));
      return ['ink', 'faint', 'link', 'error', 'warning', 'info', 'hint', 'comment', 'word', 'text'].map(name => {
        const own = light(style.getPropertyValue('--' + name));
        return [name, (Math.max(own, paper) + 0.05) / (Math.min(own, paper) + 0.05)];
      });
    })()"""
    for dark in (False, True):
        report.look(1400, 900, dark=dark)
        found = report.value(contrast)
        assert [name for name, ratio in found if ratio < 4.5] == [], dark


def test_advice_is_shown_for_its_target(
    browser: chromium.Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from regpress_lint.commands.pressure import command as pressure_command

    original, text = pressure_command.shown_kernel, "move `a` <b>behind</b> the loop: 4 registers less"
    monkeypatch.setattr(
        pressure_command, "shown_kernel", lambda *given: original(*given)._replace(advice=(("sm_90", text),))
    )
    (tmp_path / "a.cu").write_text(CUDA)
    arguments = ("--arch", "gfx90a,sm_90", "--html", tmp_path / "a.html")
    assert run(capsys, "pressure", tmp_path / "a.cu", *arguments).status == 0
    browser.open((tmp_path / "a.html").as_uri() + "#k0/sm_90")
    browser.wait("document.querySelector('.row') !== null")
    assert browser.value("document.querySelector('.advice').innerText") == text.replace("`", "")
    browser.value("location.hash = '#k0/gfx90a'")
    browser.wait("document.querySelector('h2').innerText.includes('gfx90a (')")
    assert browser.value("document.querySelector('.advice')") is None
