"""The language server: diagnostics as texts are opened, changed and saved, and what must never happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from cli_helpers import CLEAN, HIP
from server_helpers import PULLED, editor, span

if TYPE_CHECKING:
    from pathlib import Path


def test_findings_are_published_when_a_text_is_opened_and_changed(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        (found,) = client.diagnostics(uri)
        assert (found["code"], found["source"], found["severity"]) == ("RP201", "regpress-lint", 2)
        assert found["range"] == span((3, 9), (3, 23))
        assert found["codeDescription"]["href"].endswith("/rules/pow-small-exponent")
        assert "[gfx90a]" in found["message"]
        assert "\nhelp: " in found["message"]
        client.change(uri, {"range": span((3, 9), (3, 23)), "text": "x[i] * x[i]"})
        assert client.diagnostics(uri) == []
        assert client.published(uri)[-1]["params"]["version"] == 2
        client.change(uri, {"text": HIP})
        assert client.codes(uri) == ["RP201"]
        client.notify("textDocument/didClose", textDocument={"uri": uri})
        assert client.diagnostics(uri) == []


def test_an_editor_that_pulls_gets_answers_and_no_pushes(tmp_path: Path) -> None:
    with editor(capabilities=PULLED) as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        assert not client.published(uri)
        first = client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        assert (first["kind"], [each["code"] for each in first["items"]]) == ("full", ["RP201"])
        again = client.ask("textDocument/diagnostic", textDocument={"uri": uri}, previousResultId=first["resultId"])
        assert again == {"kind": "unchanged", "resultId": first["resultId"]}
        client.change(uri, {"text": CLEAN})
        other = client.ask("textDocument/diagnostic", textDocument={"uri": uri}, previousResultId=first["resultId"])
        assert (other["kind"], other["items"]) == ("full", [])


def test_a_text_without_gpu_code_has_no_findings(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "main.cpp", "int main() { return 0; }\n")
        assert client.diagnostics(uri) == []
        assert client.ask("textDocument/documentSymbol", textDocument={"uri": uri}) == []
        assert client.ask("textDocument/codeLens", textDocument={"uri": uri}) == []


def test_an_untitled_text_is_looked_at() -> None:
    with editor() as client:
        uri = client.open("untitled:Untitled-1", HIP)
        assert client.codes(uri) == ["RP201"]


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_of_an_editor_are_line_ends_here(tmp_path: Path, ends: str) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP.replace("\n", ends))
        assert client.diagnostics(uri)[0]["range"] == span((3, 9), (3, 23))
        client.change(uri, {"range": span((0, 0), (0, 0)), "text": f"// one{ends}// two{ends}"})
        assert client.diagnostics(uri)[0]["range"] == span((5, 9), (5, 23))


# ------------------------------------------------------------------------------------------- headers and the disk

HEADER = """#pragma once
#define POWER 2.0
"""
USER = HIP.replace("#include <hip", '#include "power.h"\n#include <hip').replace("2.0", "POWER")


def test_an_unsaved_header_counts_for_who_includes_it(tmp_path: Path) -> None:
    (tmp_path / "power.h").write_text(HEADER)
    (tmp_path / "k.hip").write_text(USER)
    with editor() as client:
        uri = client.open(tmp_path / "k.hip")
        assert client.codes(uri) == ["RP201"]
        header = client.open(tmp_path / "power.h")
        client.change(header, {"text": HEADER.replace("2.0", "0.37")})
        assert client.diagnostics(uri) == []
        client.change(header, {"text": HEADER})
        assert client.codes(uri) == ["RP201"]
        client.change(header, {"text": HEADER.replace("2.0", "0.37")})
        client.notify("textDocument/didClose", textDocument={"uri": header})
        client.change(uri, {"range": span((0, 0), (0, 0)), "text": "\n"})
        assert client.codes(uri) == ["RP201"], "the header on the disk counts again"


def test_a_launch_in_an_unsaved_source_counts_for_the_kernel_in_a_header(tmp_path: Path) -> None:
    kernel = "#pragma once\n#include <hip/hip_runtime.h>\n__global__ void k(float *x) { x[threadIdx.x] = 1; }\n"
    host = '#include "k.h"\n#define BLOCK 256\nvoid run(float *x) { k<<<1000, BLOCK>>>(x); }\n'
    (tmp_path / "k.h").write_text(kernel)
    (tmp_path / "main.hip").write_text(host)
    with editor() as client:
        header = client.open(tmp_path / "k.h")
        main = client.open(tmp_path / "main.hip")
        assert client.diagnostics(header) == []
        client.change(main, {"text": host.replace("256", "100")})
        assert client.codes(header) == ["RP106"]


def test_externally_changed_file_counts_after_its_notification(tmp_path: Path) -> None:
    (tmp_path / "power.h").write_text(HEADER)
    (tmp_path / "k.hip").write_text(USER)
    with editor(capabilities=PULLED) as client:
        registered = [each["params"] for each in client.sent if each.get("method") == "client/registerCapability"]
        assert registered[0]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        uri = client.open(tmp_path / "k.hip")
        ask = {"textDocument": {"uri": uri}}
        assert client.ask("textDocument/diagnostic", **ask)["items"]
        (tmp_path / "power.h").write_text(HEADER.replace("2.0", "0.37"))
        header = (tmp_path / "power.h").as_uri()
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": header, "type": 2}])
        assert any(each.get("method") == "workspace/diagnostic/refresh" for each in client.sent)
        assert not client.ask("textDocument/diagnostic", **ask)["items"]


def test_saving_rereads_the_disk_without_file_watching(tmp_path: Path) -> None:
    (tmp_path / "power.h").write_text(HEADER)
    (tmp_path / "k.hip").write_text(USER)
    with editor() as client:
        uri = client.open(tmp_path / "k.hip")
        (tmp_path / "power.h").write_text(HEADER.replace("2.0", "0.37"))
        client.notify("textDocument/didSave", textDocument={"uri": uri})
        assert client.diagnostics(uri) == []


@pytest.mark.slow
def test_a_text_that_stays_broken_is_looked_at_as_check_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cli_helpers import codes

    broken = HIP.replace("pow(x[i], 2.0);", "pow(x[i], 2.0) +;\n#if A\n  {\n#else\n  {\n#endif\n  }")
    (tmp_path / "k.hip").write_text(broken)
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        client.change(uri, {"text": broken})
        assert client.codes(uri) == codes(capsys, tmp_path / "k.hip")
    with editor(capabilities=PULLED) as client:
        uri = client.open(tmp_path / "k.hip", broken)
        client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        assert any(each.get("method") == "workspace/diagnostic/refresh" for each in client.sent)
        found = client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        assert [each["code"] for each in found["items"]] == codes(capsys, tmp_path / "k.hip")


@pytest.mark.parametrize(("options", "answers"), [({}, 2), ({"firstAnswers": False}, 1)])
def test_slow_text_is_answered_in_two_steps(tmp_path: Path, options: dict[str, Any], answers: int) -> None:
    with editor(**options) as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        client.server.session.bench.patience = 0
        before = len(client.published(uri))
        client.change(uri, {"text": HIP.replace("pow(x[i], 2.0)", "x[i] * pow(x[i], 3.0)")})
        shown = client.published(uri)[before:]
        assert len(shown) == answers
        fresh = client.open(tmp_path / "other.hip", HIP.replace("pow(x[i], 2.0)", "x[i] * pow(x[i], 3.0)"))
        assert [each["message"] for each in shown[-1]["params"]["diagnostics"]] == [
            each["message"] for each in client.diagnostics(fresh)
        ]
    with editor(capabilities=PULLED, **options) as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        client.server.session.bench.patience = 0
        client.change(uri, {"text": HIP + "\n"})
        client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        refreshed = [each for each in client.sent if each.get("method") == "workspace/diagnostic/refresh"]
        assert len(refreshed) == answers - 1


# --------------------------------------------------------------------------------------------------- configuration


def test_the_nearest_configuration_of_each_file_counts(tmp_path: Path) -> None:
    (tmp_path / "regpress.toml").write_text('ignore = ["RP201"]\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "regpress.toml").write_text('arch = ["gfx1100"]\n')
    with editor() as client:
        assert client.diagnostics(client.open(tmp_path / "k.hip", HIP)) == []
        (found,) = client.diagnostics(client.open(inner / "k.hip", HIP))
        assert "[gfx1100]" in found["message"]


def test_a_changed_configuration_counts_at_once(tmp_path: Path) -> None:
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        file = tmp_path / "regpress.toml"
        file.write_text('exclude = ["*.hip"]\n')
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 1}])
        assert client.diagnostics(uri) == []


def test_wrong_configuration_is_reported_once_and_the_server_continues(tmp_path: Path) -> None:
    file = tmp_path / "regpress.toml"
    file.write_text('selct = ["RP201"]\n')
    with editor() as client:
        uri = client.open(tmp_path / "k.hip", HIP)
        client.change(uri, {"text": HIP + "\n"})
        assert client.diagnostics(uri) == []
        (said,) = client.said()
        assert 'unknown key "selct"' in said
        file.write_text("")
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
        assert client.codes(uri) == ["RP201"]


def test_a_rule_that_fails_is_a_message_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regpress_rules.math.pow_small_exponent import PowSmallExponent

    def fail(self: object, facts: object) -> object:
        raise RuntimeError("no such luck")

    with editor() as client:
        monkeypatch.setattr(PowSmallExponent, "check_kernel", fail)
        uri = client.open(tmp_path / "k.hip", HIP)
        assert client.codes(uri) == ["RP009"]
        assert "no such luck" in client.said()[0]
        assert any("Traceback" in line for line in client.said("window/logMessage"))
        monkeypatch.undo()
        client.change(uri, {"text": HIP + "\n"})
        assert client.codes(uri) == ["RP201"]


def test_unknown_document_or_command_does_not_stop_the_server(tmp_path: Path) -> None:
    with editor() as client:
        nowhere = (tmp_path / "none.hip").as_uri()
        assert (
            client.ask("textDocument/hover", textDocument={"uri": nowhere}, position={"line": 0, "character": 0})
            is None
        )
        client.notify("textDocument/didChange", textDocument={"uri": nowhere, "version": 2}, contentChanges=[])
        assert "error" in client.send("workspace/executeCommand", command="nonsense")
        assert client.codes(client.open(tmp_path / "k.hip", HIP)) == ["RP201"]


def test_the_server_reports_what_check_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from cli_helpers import ROOT, run_json

    for name in ("testdata/walk/energies.hip", "testdata/rules/RP403/hip.hip"):
        path = ROOT / name
        if not path.is_file():
            continue
        wanted = [(d["code"], d["start"]["line"], d["message"]) for d in run_json(capsys, path)["diagnostics"]]
        with editor() as client:
            uri = client.open(path)
            got = [
                (d["code"], d["range"]["start"]["line"] + 1, d["message"].partition(" [")[0])
                for d in client.diagnostics(uri)
            ]
        assert [each[:2] for each in got] == [each[:2] for each in wanted]
        assert wanted
