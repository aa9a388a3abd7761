"""The server's answers about a text: actions, hover, lenses, hints, symbols, commands, and places in every unit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import CLEAN, EXACT, HIP
from hypothesis import given, strategies as st
from lsprotocol import types
from page_helpers import detail
from server_helpers import PULLED, PUSHED, Editor, at, edited, editor, span

from regpress_lint.core.source import Source
from regpress_lint.server.open_texts import Documents, offset_of, to_client

if TYPE_CHECKING:
    from regpress_lint.server.open_texts import Encoding

TILE = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) tile(float *x, const int *at) {
  float own[8];
  float far[40];
  for (int k = 0; k < 8; ++k) own[k] = x[k * 64 + threadIdx.x];
  for (int k = 0; k < 40; ++k) far[k] = x[k];
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += own[k] * own[7 - k];
  x[threadIdx.x] = sum + far[at[threadIdx.x]];
}
void run(float *x, const int *at) { tile<<<100, 128>>>(x, at); }
"""


def _actions(client: Editor, uri: str, line: int, *, only: list[str] | None = None) -> list[dict[str, Any]]:
    context: dict[str, Any] = {"diagnostics": []} | ({"only": only} if only else {})
    found: list[dict[str, Any]] = client.ask(
        "textDocument/codeAction", textDocument={"uri": uri}, range=span((line, 10), (line, 10)), context=context
    )
    return found


def _hover(client: Editor, uri: str, text: str, word: str) -> str:
    """The hover text at the first occurrence of a word."""
    before = text[: text.index(word)]
    place = at(before.count("\n"), len(before.rpartition("\n")[2]))
    found = client.ask("textDocument/hover", textDocument={"uri": uri}, position=place)
    return "" if found is None else str(found["contents"]["value"])


# ---------------------------------------------------------------------------------------------------------- actions


def test_a_finding_offers_its_fix_its_silence_and_its_page(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        fix, line, file, explain = _actions(client, uri, 3)
        assert fix["title"] == "RP201: write x[i] * x[i] (unsafe, may change results or rely on what is not in view)"
        assert (fix["kind"], fix.get("isPreferred")) == ("quickfix", None)
        assert fix["diagnostics"] == client.diagnostics(uri)
        client.change(uri, {"text": edited(HIP, fix["edit"]["changes"][uri])})
        assert client.diagnostics(uri) == []
        for silence, title in ((line, "Silence RP201 on this line"), (file, "Silence RP201 in this file")):
            assert silence["title"] == title
            client.change(uri, {"text": edited(HIP, silence["edit"]["changes"][uri])})
            assert client.diagnostics(uri) == []
        assert explain["command"]["arguments"] == ["RP201"]
        client.change(uri, {"text": HIP})
        assert _actions(client, uri, 1, only=["quickfix"]) == []


def test_a_line_inside_of_a_macro_gets_no_comment(tmp_path: Path) -> None:
    macro = "#define POWER(y) \\\n  pow(y, 2.0)\n  int i ="
    text = HIP.replace("int i =", macro).replace("x[i] = pow(x[i], 2.0)", "x[i] = POWER(x[i])")
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", text)
        for found in client.diagnostics(uri):
            line = found["range"]["start"]["line"]
            titles = [each["title"] for each in _actions(client, uri, line)]
            assert ("Silence RP201 on this line" in titles) == (not text.split("\n")[line - 1].endswith("\\"))


def test_all_safe_fixes_in_one_step(tmp_path: Path) -> None:
    text = EXACT + EXACT.replace("picked", "again").partition("\n")[2]
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", text)
        assert client.codes(uri) == ["RP401", "RP401"]
        assert _actions(client, uri, 2)[0]["isPreferred"] is True
        (everything,) = _actions(client, uri, 0, only=["source.fixAll"])
        assert everything["kind"] == "source.fixAll.regpress-lint"
        client.change(uri, {"text": edited(text, everything["edit"]["changes"][uri])})
        assert client.diagnostics(uri) == []
        assert _actions(client, uri, 0, only=["source.fixAll"]) == []
        assert _actions(client, uri, 0, only=["refactor"]) == []


# ------------------------------------------------------------------------------------------------------------ hover


def test_hover_on_a_kernel_shows_its_pressure(tmp_path: Path) -> None:
    with editor("--arch", "gfx90a,sm_90") as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        said = _hover(client, uri, TILE, "tile(float")
        assert said.index("**tile** on gfx90a") < said.index("**tile** on sm\\_90" if "sm\\_90" in said else "on sm_90")
        assert "*estimate*" in said
        assert "waves per SIMD at the estimate" in said


ROLES = """__global__ void __cluster_dims__(2) __launch_bounds__(384, 1) roles(float* o) {
  int group = threadIdx.x / 128;
  if (group == 0) { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); o[0] = 1; }
  else { asm volatile("setmaxnreg.inc.sync.aligned.u32 232;"); o[threadIdx.x] = 2; }
}
"""


def test_hover_on_a_kernel_shows_roles_and_clusters(tmp_path: Path) -> None:
    with editor("--arch", "sm_90") as client:
        said = _hover(client, client.open(tmp_path / "k.cu", ROLES), ROLES, "roles(float")
        assert "*roles*: 128 threads with 40 registers (setmaxnreg, line 3)" in said
        assert "*roles*: 256 threads with 232 registers (setmaxnreg, line 4)" in said
        assert "*clusters*: of 2 blocks: one H200 held" in said


def test_hover_on_an_array_shows_width_range_and_location(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        own = _hover(client, uri, TILE, "own[8]")
        assert "float[8]" in own
        assert "32 bytes per thread = 8 registers" in own
        assert "used in lines 5 to 8" in own
        assert "stays in registers" in own
        far = _hover(client, uri, TILE, "far[40]")
        assert "160 bytes per thread" in far
        assert "goes to scratch memory: an index is known at run time only (line 9)" in far
        assert "up to 1 register, from one instruction to the next" in _hover(client, uri, TILE, "sum += own")
        assert _hover(client, uri, TILE, "hip_runtime") == ""


def test_a_launch_shows_the_occupancy_of_its_numbers(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        said = _hover(client, uri, TILE, "tile<<<")
        assert said.startswith("launch of **tile**: block of 128 threads\n")
        assert "gfx90a: 8 of 8 waves per SIMD" in said
        client.change(uri, {"text": TILE.replace("100, 128", "100, 128, 60000")})
        assert "1 of 8 waves per SIMD (LDS)" in _hover(client, uri, TILE, "tile<<<").replace("0.5 of 8", "1 of 8")
        # Clang moves an array of 16 bytes to LDS, for the 256 threads that a block may have.
        small = TILE.replace("far[40]", "far[2][2]").replace("k < 40; ++k) far[k]", "k < 4; ++k) far[k / 2][k % 2]")
        small = small.replace("far[at[threadIdx.x]]", "far[at[threadIdx.x] / 2][at[0] % 2]")
        client.change(uri, {"text": small})
        assert "registers and 4096 bytes of LDS" in _hover(client, uri, small, "tile<<<")


# ------------------------------------------------------------------------------------- lenses, hints, symbols, pages


def test_a_line_above_each_kernel_has_the_numbers_of_kernels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import json

    from cli_helpers import run

    path = tmp_path / "k.hip"
    path.write_text(TILE)
    row = json.loads(run(capsys, "kernels", "--output-format", "json", path).out)["kernels"][0]
    registers = row["targets"]["gfx90a"]["registers"]
    with editor() as client:
        uri = client.open(path)
        (lens,) = client.ask("textDocument/codeLens", textDocument={"uri": uri})
        assert lens["range"]["start"]["line"] == 1
        title = lens["command"]["title"]
        numbers = f"{registers['estimate']} registers ({registers['low']} to {registers['high']})"
        assert title.startswith(f"gfx90a: {numbers}, 8 of 8 waves per SIMD")
        assert lens["command"]["arguments"] == [uri, "tile"]
    with editor(codeLens=False) as client:
        assert client.ask("textDocument/codeLens", textDocument={"uri": client.open(path)}) == []


def test_inlay_hints_follow_the_widest_lines_if_enabled(tmp_path: Path) -> None:
    whole = span((0, 0), (20, 0))
    with editor(capabilities=PULLED) as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        assert client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=whole) == []
        client.notify("workspace/didChangeConfiguration", settings={"regpress-lint": {"inlayHints": True}})
        assert [each["method"] for each in client.sent if "refresh" in each.get("method", "")] == [
            "workspace/inlayHint/refresh"
        ]
        hints = client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=whole)
        assert sum("the peak" in hint["label"] for hint in hints) == 1
        for hint in hints:
            line = TILE.split("\n")[hint["position"]["line"]]
            assert hint["position"]["character"] == len(line)
        assert client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=span((0, 0), (1, 0))) == []


def test_kernels_and_launches_are_symbols(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        kernel, launch = client.ask("textDocument/documentSymbol", textDocument={"uri": uri})
        assert (kernel["name"], kernel["kind"], kernel["detail"]) == ("tile", 12, "hip kernel")
        assert kernel["selectionRange"] == span((1, 39), (1, 43))
        assert kernel["range"]["end"]["line"] == 9
        assert (launch["name"], launch["detail"]) == ("tile", "launch, 128 threads per block")


def test_the_pressure_page_is_written_and_shown(tmp_path: Path) -> None:
    with editor(capabilities=PULLED) as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        found = client.ask("workspace/executeCommand", command="regpress-lint.pressure", arguments=[uri, "tile"])
        page = Path(found["path"])
        assert "<title>" in page.read_text()
        shown = [each["params"] for each in client.sent if each.get("method") == "window/showDocument"]
        assert shown == [{"uri": found["uri"], "external": True}]
        whole = client.ask("workspace/executeCommand", command="regpress-lint.pressure", arguments=[uri])
        assert whole["path"] == found["path"], "a kernel need not be named"
        none = client.ask("workspace/executeCommand", command="regpress-lint.pressure", arguments=[uri, "other"])
        assert none is None
    assert not page.exists(), "pages go with the server"


def test_a_sweep_is_written_and_shown(tmp_path: Path) -> None:
    with editor(capabilities=PULLED) as client:
        uri = client.open(tmp_path / "k.hip", TILE)
        for arguments, values in (
            ([uri], ["64", "128", "256", "512", "1024"]),
            ([uri, None, "block=64,96"], ["64", "96"]),
        ):
            found = client.ask("workspace/executeCommand", command="regpress-lint.sweep", arguments=arguments)
            points = detail(Path(found["path"]).read_text(), 0)["kernels"][0]["sweep"]["points"]
            assert [point["values"] for point in points] == [[value] for value in values]
        wrong = client.ask(
            "workspace/executeCommand", command="regpress-lint.sweep", arguments=[uri, "tile", "block=0"]
        )
        assert wrong is None
        assert "block sizes are whole numbers from 1 to 1024" in client.said()[-1]


def test_a_rule_is_explained(tmp_path: Path) -> None:
    with editor() as client:
        client.open(tmp_path / "k.hip", CLEAN)
        found = client.ask("workspace/executeCommand", command="regpress-lint.explain", arguments=["RP201"])
        assert "## " in found["documentation"]
        assert "RP201 pow-small-exponent" in client.said()[0]
        assert client.ask("workspace/executeCommand", command="regpress-lint.explain", arguments=["RP2O1"]) is None


# ----------------------------------------------------------------------------------------------------------- places

ASTRAL = HIP.replace("x[i] = pow", "/* \U0001d53d\u00e9 */ x[i] = pow")


@pytest.mark.parametrize(("encoding", "column"), [("utf-16", 19), ("utf-8", 22), ("utf-32", 18)])
def test_columns_are_counted_in_the_unit_that_was_agreed_on(tmp_path: Path, encoding: str, column: int) -> None:
    capabilities = PUSHED | {"general": {"positionEncodings": [encoding]}}
    with editor(capabilities=capabilities) as client:
        uri = client.open(tmp_path / "k.hip", ASTRAL)
        assert client.diagnostics(uri)[0]["range"] == span((3, column), (3, column + 14))
        client.change(uri, {"range": span((3, column), (3, column + 14)), "text": "x[i] * x[i]"})
        assert client.diagnostics(uri) == []


def test_an_editor_that_names_no_unit_counts_utf_16(tmp_path: Path) -> None:
    found = Editor()
    assert found.initialize()["capabilities"]["positionEncoding"] == "utf-16"
    capabilities = PUSHED | {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    assert Editor().initialize(capabilities)["capabilities"]["positionEncoding"] == "utf-8"


@given(
    st.text(st.sampled_from("ab \té\u20ac\U0001d53d\n"), max_size=40), st.sampled_from(["utf-8", "utf-16", "utf-32"])
)
def test_every_place_survives_the_way_to_the_editor_and_back(text: str, encoding: Encoding) -> None:
    source = Source("a.hip", text.encode())
    for index in range(len(text) + 1):
        offset = len(text[:index].encode())
        assert offset_of(source, to_client(source.position(offset), encoding), encoding) == offset


@given(
    st.text(st.sampled_from("ab\té\u20ac\U0001d53d\n\r\x0c\u2028"), max_size=30),
    st.text(st.sampled_from("xé\U0001d53d\n\r"), max_size=5),
    st.data(),
)
def test_changes_in_steps_give_the_text_of_the_editor(text: str, new: str, data: st.DataObject) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = data.draw(st.integers(0, len(lines) - 1))
    character = data.draw(st.integers(0, len(lines[line])))
    ends = text.replace("\r\n", "\n\0").replace("\r", "\n").split("\n")  # where an editor's lines begin
    start = sum(len(each) + 1 for each in ends[:line])
    start += character + (1 if ends[line].startswith("\0") else 0)
    units = len(lines[line][:character].encode("utf-16-le")) // 2
    documents = Documents()
    documents.open("file:///a.hip", 1, text)
    place = types.Position(line, units)
    change = types.TextDocumentContentChangePartial(types.Range(place, place), new)
    documents.change("file:///a.hip", 2, [change], "utf-16")
    found = documents.get("file:///a.hip")
    wanted = (text[:start] + new + text[start:]).encode()
    assert found is not None
    assert found.version == 2
    assert len(found.data) == len(wanted)
    assert found.data.replace(b"\r", b"\n") == wanted.replace(b"\r", b"\n")


def test_half_of_a_surrogate_pair_is_one_unit() -> None:
    documents = Documents()
    documents.open("file:///a.hip", 1, "a\ud800b")
    found = documents.get("file:///a.hip")
    assert found is not None
    assert found.data.decode() == "a\ufffdb"


# ------------------------------------------------------------------------------------------------------- while typing


def test_nothing_flickers_while_a_brace_is_open(tmp_path: Path) -> None:
    """Findings and lenses of all kernels move with their text, and are recomputed when the brace is closed."""
    body = HIP.partition("\n")[2]
    text = HIP + body.replace("square", "second") + body.replace("square", "third")
    typed = "  if (i < 4) {\n"
    before = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    open_, whole = text.replace(before, before + typed, 1), text.replace(before, f"{before}{typed}  }}\n", 1)
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", text)

        def lenses() -> int:
            return len(client.ask("textDocument/codeLens", textDocument={"uri": uri}))

        known = [(each["code"], each["message"]) for each in client.diagnostics(uri)]
        assert [code for code, _ in known] == ["RP201"] * 3
        assert lenses() == 3
        for version, moved in ((open_, 1), (open_.replace(typed, "  if (i < 4\n"), 1), (whole, 2)):
            client.change(uri, {"text": version})
            found = client.diagnostics(uri)
            assert [(each["code"], each["message"]) for each in found] == known
            assert [each["range"]["start"]["line"] for each in found] == [3 + moved, 7 + moved, 11 + moved]
            assert lenses() == 3


def test_nothing_of_other_kernels_flickers_while_a_quotation_is_open(tmp_path: Path) -> None:
    """The kernel behind it is not said to be lost, and keeps its finding and its lens."""
    body = HIP.partition("\n")[2]
    text = HIP + body.replace("square", "second") + body.replace("square", "third")
    before = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", text)
        assert [each["code"] for each in client.diagnostics(uri)] == ["RP201"] * 3
        assert len(client.ask("textDocument/codeLens", textDocument={"uri": uri})) == 3
        first, _, rest = text.partition("second")
        for typed in ('  x[i] = "\n', "  x[i] = '\n"):
            client.change(uri, {"text": f"{first}second{rest.replace(before, before + typed, 1)}"})
            found = [(each["code"], each["range"]["start"]["line"]) for each in client.diagnostics(uri)]
            assert ("RP201", 3) in found
            assert ("RP201", 12) in found
            assert "RP001" not in {code for code, _ in found}
            assert len(client.ask("textDocument/codeLens", textDocument={"uri": uri})) == 3, typed
