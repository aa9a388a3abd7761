"""The libclang tier and hostile input: it is late, dies, is absent, or would like to read and run what it may not."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest
from corpus import drawn
from semantic_helpers import SECONDS, Asked, facts_of, modelled, write

from regpress_lint.cpp.answers import Input, NoAnswerError, Sources
from regpress_lint.semantics import client as client_module
from regpress_lint.semantics.arguments import SHIMS, roots
from regpress_lint.semantics.clang import ClangSemantics, Tier
from regpress_lint.semantics.client import Client
from regpress_lint.semantics.confine import overlay

KERNEL = "__global__ void k(float* p) { p[0] = 1.0f; }\n"
# Each level includes the file twice: two to the power of two hundred inclusions.
BOMB = '#include "bomb.h"\n' + KERNEL
BOMB_HEADER = '#if __INCLUDE_LEVEL__ < 190\n#include "bomb.h"\n#include "bomb.h"\n#endif\n'


@pytest.mark.slow
def test_late_answer_is_dropped_and_ends_the_process(tmp_path: Path) -> None:
    """The deadline holds for all questions of a file together; the next file is answered."""
    write(tmp_path, {"bomb.h": BOMB_HEADER})
    tier = Tier(0.6)
    bomb = Asked(tmp_path, "a.hip", BOMB, tier=tier)
    begin = time.monotonic()
    assert bomb.value("4 + 4", "k(float", exact=False) is None
    assert bomb.value("5 + 5", "k(float", exact=False) is None
    assert time.monotonic() - begin < 15
    (note,) = tier.taken_notes()
    assert "a.hip: libclang: no answer within" in note
    tier.seconds = SECONDS
    good = Asked(tmp_path, "b.hip", "constexpr int N = 4;\n" + KERNEL, tier=tier)
    assert good.value("N * 2", "k(float", exact=False) == 8


@pytest.mark.slow
def test_a_process_that_dies_is_noted_and_started_again(tmp_path: Path) -> None:
    """One question is lost, the file's others are answered."""
    asked = Asked(tmp_path, "a.hip", "constexpr int N = 4;\n" + KERNEL)
    assert asked.value("N * 2", "k(float", exact=False) == 8
    child = asked.tier.client._child
    assert child is not None
    child.process.kill()
    child.process.wait()
    assert asked.value("N * 3", "k(float", exact=False) == 12


def test_without_libclang_nothing_is_lost_but_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not tried again and again, either."""
    package = str(Path(client_module.__file__).parents[2])
    path = os.pathsep.join((str(tmp_path / "broken"), package))
    monkeypatch.setattr(client_module, "_environment", lambda: {"PYTHONPATH": path})
    write(tmp_path / "broken", {"clang/__init__.py": "raise ImportError\n"})
    write(tmp_path, {"src/a.hip": "#include <far.h>\n__global__ void k(real_t* p) { real_t a[N]; a[0] = p[1]; }\n"})
    facts = facts_of(modelled(tmp_path / "src", "a.hip", SECONDS), "k")
    assert [array.bytes for array in facts.arrays] == [None]
    client = Client()
    for _ in range(5):
        with pytest.raises(NoAnswerError):
            client.ready((str(tmp_path),))
    assert client.absent
    assert client.generation == 3


OUTSIDE = "#define OUTSIDE 42\n"


@pytest.mark.parametrize("form", drawn(["link", "linked folder", "relative", "absolute"], 2))
def test_nothing_outside_the_project_is_read(tmp_path: Path, form: str) -> None:
    """Not through `..`, an absolute path or a symbolic link, which a pull request can bring."""
    write(tmp_path, {"secret/s.h": OUTSIDE, "project/near.h": "#define NEAR 3\n"})
    project = tmp_path / "project"
    named = {
        "relative": "../secret/s.h",
        "absolute": str(tmp_path / "secret/s.h"),
        "link": "link.h",
        "linked folder": "folder/s.h",
    }[form]
    (project / "link.h").symlink_to(tmp_path / "secret/s.h")
    (project / "folder").symlink_to(tmp_path / "secret")
    asked = Asked(project, "a.hip", f'#include "near.h"\n#include "{named}"\n' + KERNEL)
    assert asked.value("NEAR", "k(float", exact=False) == 3
    if form in ("link", "linked folder") and not asked.tier.client.confined:
        pytest.skip("this kernel has no Landlock: a link out of the project is followed")
    assert asked.value("OUTSIDE", "k(float", exact=False) is None


def test_a_given_include_folder_is_read(tmp_path: Path) -> None:
    """The same header, once its folder is given."""
    write(tmp_path, {"secret/s.h": OUTSIDE, "project/a.h": ""})
    asked = Asked(tmp_path / "project", "a.hip", '#include "s.h"\n' + KERNEL)
    sources = Sources((str(tmp_path / "secret"),))
    given = Input(asked.path, asked.text.encode(), "hip", None, sources, (str(tmp_path / "project"),))
    asked.semantics = ClangSemantics(asked.tier, given)
    assert asked.value("OUTSIDE", "k(float", exact=False) == 42


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_is_named_like_a_header_costs_the_deadline_at_most(tmp_path: Path) -> None:
    """Opening it would wait for a writer for ever."""
    os.mkfifo(tmp_path / "pipe.h")
    asked = Asked(tmp_path, "a.hip", '#include "pipe.h"\n' + KERNEL, seconds=0.5)
    begin = time.monotonic()
    asked.value("1 + 1", "k(float", exact=False)
    assert time.monotonic() - begin < 10


def test_the_process_can_neither_write_nor_run_anything(tmp_path: Path) -> None:
    """Whatever libclang could be made to do."""
    target = tmp_path / "written"
    code = (
        "import os, subprocess, sys\n"
        "from regpress_lint.semantics.confine import confine\n"
        f"if not confine([{str(tmp_path)!r}]): sys.exit(7)\n"
        "try:\n"
        f"    open({str(target)!r}, 'w')\n"
        "except PermissionError: pass\n"
        "else: sys.exit(1)\n"
        "try:\n"
        "    os.execv('/bin/true', ['true'])\n"
        "except PermissionError: pass\n"
        "try:\n"
        "    open('/etc/hostname').read()\n"
        "except PermissionError: sys.exit(0)\n"
        "sys.exit(2)\n"
    )
    status = subprocess.run([sys.executable, "-c", code], check=False).returncode
    if status == 7:
        pytest.skip("this kernel has no Landlock")
    assert status == 0
    assert not target.exists()


@pytest.mark.slow
def test_a_package_named_clang_in_the_working_folder_is_not_imported(tmp_path: Path) -> None:
    """The working folder may be the repository that is linted."""
    trap = f"open({str(tmp_path / 'trapped')!r}, 'w').write('x')\n"
    write(tmp_path, {"clang/__init__.py": trap, "clang/cindex.py": trap, "json.py": trap, "base64.py": trap})
    write(tmp_path, {"a.hip": "constexpr int N = 4;\n" + KERNEL})
    code = (
        "import base64, json, multiprocessing.util, os, selectors, shutil, subprocess, sys, tempfile\n"
        "from regpress_lint.cpp.answers import Input\nfrom regpress_lint.semantics.clang import ClangSemantics, Tier\n"
        "from regpress_lint.cpp.answers import Place\n"
        "from regpress_lint.cpp.answers import Sources\n"
        "os.chdir(sys.argv[1]); sys.path.insert(0, ''); sys.path.insert(0, sys.argv[1])\n"
        "given = Input('a.hip', open('a.hip', 'rb').read(), 'hip', None, Sources(), ('.',))\n"
        "asked = ClangSemantics(Tier(30.0), given)\n"
        "assert asked.value('N + 1', Place('a.hip', 30, False)).value == 5\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert not (tmp_path / "trapped").exists()


def test_the_overlay_holds_the_roots_and_nothing_else() -> None:
    """It is what confines libclang where the kernel does not."""
    text = overlay(["/a b/c", '/quo"te'])
    assert '"redirecting-with": "redirect-only"' in text
    assert '"/a b/c"' in text
    assert text.count("directory-remap") == 2


def test_roots_below_others_are_left_out(tmp_path: Path) -> None:
    """The file system would map them twice; and `-I/` of a hostile command must not open the whole disk."""
    (tmp_path / "a/b").mkdir(parents=True)
    found = roots((str(tmp_path / "a"), str(tmp_path / "a/b"), str(tmp_path / "a/../a"), "/"))
    assert sorted(found) == sorted((str((tmp_path / "a").resolve()), os.path.realpath(SHIMS)))


@pytest.mark.slow
def test_process_ends_with_its_parent(tmp_path: Path) -> None:
    """And leaves nothing behind in the folder of temporary files."""
    asked = Asked(tmp_path, "a.hip", "constexpr int N = 4;\n" + KERNEL)
    assert asked.value("N * 2", "k(float", exact=False) == 8
    child = asked.tier.client._child
    assert child is not None
    process, folder = child.process, Path(child.overlay).parent
    assert folder.is_dir()
    del asked, child
    gc.collect()
    assert process.poll() is not None
    assert not folder.exists()


@pytest.mark.slow
def test_file_that_crashes_libclang_is_noted_and_not_retried(tmp_path: Path) -> None:
    """It catches its own crashes; the process lives on, the file has no answers."""
    asked = Asked(tmp_path, "a.hip", "#pragma clang __debug crash\nconstexpr int N = 4;\n" + KERNEL)
    begin = time.monotonic()
    for number in range(20):
        assert asked.value(f"N + {number}", "k(float", exact=False) is None
    assert time.monotonic() - begin < 10
    assert asked.tier.taken_notes()
    good = Asked(tmp_path, "b.hip", "constexpr int N = 4;\n" + KERNEL, tier=asked.tier)
    assert good.value("N * 2", "k(float", exact=False) == 8


def test_a_file_that_made_libclang_crash_is_parsed_once() -> None:
    """However many questions there are: by then a parse without bodies would pay."""
    from clang import cindex

    from regpress_lint.semantics.translation import Translation

    parses: list[str] = []

    class Index:
        def parse(self, path: str, *_given: object) -> object:
            parses.append(path)
            raise cindex.TranslationUnitLoadError("crashed")

    translation = Translation(cast("cindex.Index", Index()), "a.hip", b"", [], "probe.cpp")
    for number in range(20):
        with pytest.raises(cindex.TranslationUnitLoadError):
            translation.value(f"4 + {number}", "a.hip", 0, exact=False)
    assert parses == ["probe.cpp"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("__global__ void k(float* p) {" + "{" * 10_000 + "real_t x;" + "}" * 10_000 + "}", id="braces"),
        pytest.param(
            "__global__ void k(float* p) { real_t x; p[0]=" + "(" * 9000 + "1" + ")" * 9000 + ";}", id="parens"
        ),
        pytest.param("__global__ void k(real_t* p) { int a[N]; auto z = f(p); }\n\0\xff\xfe\x01" * 50, id="garbage"),
        pytest.param(
            "template <int N> struct F { static constexpr int v = F<N - 1>::v + F<N - 2>::v; };\n"
            "__global__ void k(float* p) { float a[F<100000>::v]; real_t q; p[0] = a[1]; }\n",
            id="endless template",
        ),
        pytest.param(
            '#include "/dev/zero"\n#include "/proc/self/mem"\n__global__ void k(real_t* p) {}\n', id="devices"
        ),
    ],
)
def test_hostile_text_is_linted(tmp_path: Path, text: str) -> None:
    """No internal error, no hang."""
    (tmp_path / "a.hip").write_text(text)
    begin = time.monotonic()
    file = modelled(tmp_path, "a.hip", 1.0)
    assert [facts_of(file, kernel.name).target("gfx90a").registers.estimate >= 0 for kernel in file.kernels[:1]] == [
        True
    ]
    assert time.monotonic() - begin < 20
