"""The documentation's site: every page has its place, links hold here and there, and findings lead to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from snippets import PAGES, ROOT

from regpress_lint.api.rule import DOCUMENTATION_URL
from regpress_rules import rules
from tools.generators import mkdocs_hooks
from tools.generators.config_schema import SCHEMA_URL
from tools.measure import chromium

LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
EXTERNAL = re.compile(
    r"<(?:script|img|iframe|link rel=\"?(?:stylesheet|preload|preconnect|icon))[^>]*(?:src|href)=\"?(?:https?:)?//"
)


def site() -> Any:
    """What mkdocs.yml says; `!ENV` is a tag that MkDocs alone knows."""
    return yaml.safe_load((ROOT / "mkdocs.yml").read_text().replace("!ENV", ""))


def test_every_page_is_in_the_navigation_once() -> None:
    settings = site()
    listed = mkdocs_hooks.pages_of(mkdocs_hooks.with_rules(settings["nav"]))
    named = [mkdocs_hooks.repository_path(page) for page in listed]
    assert sorted(named) == sorted({*named})
    documented = {f"docs/{path.relative_to(ROOT / 'docs').as_posix()}" for path in (ROOT / "docs").glob("**/*.md")}
    outside = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", *mkdocs_hooks.OUTSIDE_PAGES}
    assert set(named) == documented | outside


def test_the_menu_has_five_groups() -> None:
    assert [*map(list, site()["nav"])] == [["Tutorial"], ["How-to"], ["Reference"], ["Explanation"], ["Contributing"]]


def test_pages_beside_the_rules_can_be_read_in_an_afternoon() -> None:
    pages = {path for path in (ROOT / "docs").glob("**/*.md") if path.parent.name != "rules"}
    prose = ROOT / "tools" / "generators" / "occupancy_document.md"  # without the rows of each GPU
    pages = pages - {ROOT / "docs" / "occupancy.md"} | {prose}
    assert sum(path.stat().st_size for path in pages) <= 143_170  # cut what readers do not need before raising this


def test_rules_are_grouped_and_unnamed_pages_come_last() -> None:
    found = mkdocs_hooks.with_rules(["index.md", {"Reference": [{"Rules": ["rules/index.md"]}]}])
    (first, about, launch, *_) = found[1]["Reference"][0]["Rules"]
    assert first == "rules/index.md"
    assert next(iter(about.values()))[0] == {"RP001 parse-incomplete": "rules/parse-incomplete.md"}
    assert {code[:3] for each in next(iter(launch.values())) for code in each} == {"RP1"}
    assert list(found[-1]) == ["More"]
    assert "reading.md" in found[-1]["More"]
    assert not [page for page in found[-1]["More"] if page.startswith("rules/")]


@pytest.mark.parametrize("page", [*PAGES, *mkdocs_hooks.OUTSIDE_PAGES[1:]])
def test_links_between_files_of_the_repository_lead_somewhere(page: str) -> None:
    text = CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    folder = (ROOT / page).parent
    assert [link for link in LINK.findall(text) if not (folder / link).exists()] == []


@pytest.mark.parametrize(
    ("page", "written", "on_the_site"),
    [
        ("index.md", "[a](docs/reading.md)", "[a](reading.md)"),
        ("index.md", "![p](docs/images/finding.svg)", "![p](images/finding.svg)"),
        ("accuracy.md", "[g](../testdata/golden/README.md)", "[g](testdata/golden/README.md)"),
        ("rules/index.md", "[s](../../schemas/config.v1.schema.json)", "[s](../schemas/config.v1.schema.json)"),
        ("examples/plugin/README.md", "[w](../../docs/writing-rules.md#x)", "[w](../../writing-rules.md#x)"),
        ("cache.md", "[h](https://example.org/x.md) [i](#here)", "[h](https://example.org/x.md) [i](#here)"),
        ("cache.md", "```cpp\na[i](../README.md);\n```", "```cpp\na[i](../README.md);\n```"),
        ("cache.md", "[r](../README.md)", "[r](index.md)"),
        ("measure.md", "the [logs](../testdata/measured) there", "the logs there"),
    ],
)
def test_a_link_is_written_for_the_repository_and_holds_on_the_site(page: str, written: str, on_the_site: str) -> None:
    assert mkdocs_hooks.with_links(written, page) == on_the_site


def test_link_targets_outside_docs_are_on_the_site() -> None:
    found = mkdocs_hooks.linked()
    assert {"CONTRIBUTING.md", "schemas/kernels.v1.schema.json", "testdata/golden/README.md"} <= found
    assert not [path for path in found if path.startswith("docs/")]


def test_a_fence_with_a_files_name_has_a_title_on_the_site() -> None:
    assert mkdocs_hooks.with_titles("```cuda a.cu\nx\n```") == '```cpp title="a.cu"\nx\n```'
    assert mkdocs_hooks.with_titles('```yaml title="a.yml"\nx\n```') == '```yaml title="a.yml"\nx\n```'
    assert mkdocs_hooks.with_titles("```toml\nx\n```") == "```toml\nx\n```"


def test_addresses_in_findings_and_schemas_are_the_sites() -> None:
    settings = site()
    assert settings["site_url"] + "rules/" == DOCUMENTATION_URL
    assert settings.get("use_directory_urls", True)
    for rule in rules():
        assert (ROOT / "docs" / "rules" / f"{rule.info().url.removeprefix(DOCUMENTATION_URL)}.md").exists()
    assert "schemas/*.json" in mkdocs_hooks.OUTSIDE
    assert (ROOT / SCHEMA_URL.removeprefix(settings["site_url"])).exists()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with --strict: in REGPRESS_SITE if CI has done that already."""
    done_before = os.environ.get("REGPRESS_SITE")
    if done_before is not None:
        return ROOT / done_before
    if shutil.which("mkdocs", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("MkDocs is not installed (pip install -e '.[docs]')")
    return _built(tmp_path_factory.mktemp("site"))


def _built(folder: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    given = {**os.environ, **environment}
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow  # MkDocs is no part of the test extra
@pytest.mark.parametrize(("link", "status"), [("there.md", 0), ("gone.md", 1)])
def test_the_command_of_ci_fails_for_a_broken_link(tmp_path: Path, link: str, status: int) -> None:
    line = next(each for each in (ROOT / ".ci" / "run").read_text().splitlines() if "mkdocs build" in each)
    words = line.partition("mkdocs ")[2].partition(" ||")[0].split()
    (tmp_path / "docs" / "folder").mkdir(parents=True)
    (tmp_path / "docs" / "index.md").write_text(f"[a]({link})\n")
    (tmp_path / "docs" / "there.md").write_text("b\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: s\ntheme: mkdocs\n")
    done = subprocess.run([sys.executable, "-m", "mkdocs", *words], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == status, done.stderr


@pytest.mark.slow
def test_site_has_the_pages_that_findings_link_to(built: Path) -> None:
    for rule in rules():
        page = built / "rules" / rule.name / "index.html"
        assert f"{rule.code} {rule.name}" in page.read_text(encoding="utf-8")
    for schema in (ROOT / "schemas").iterdir():
        assert (built / "schemas" / schema.name).read_bytes() == schema.read_bytes()


@pytest.mark.slow
def test_the_site_works_without_a_network(built: Path) -> None:
    for page in built.glob("**/*.html"):
        assert not EXTERNAL.search(page.read_text(encoding="utf-8")), page
    found = {each["location"] for each in json.loads((built / "search" / "search_index.json").read_text())["docs"]}
    assert {f"rules/{rule.name}/" for rule in rules()} <= found
    assert {"", "first-steps/", "adoption/", "reading/", "occupancy/"} <= found


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.mark.browser
def test_search_in_a_browser_finds_rules_and_the_exit_status(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (reason := chromium.missing()) is not None:
        pytest.skip(reason)
    monkeypatch.setattr(chromium, "_WAIT", 300.0)  # the index is made in the browser, on a loaded machine not soon
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}/"
        with chromium.Chromium() as browser:
            link = "document.querySelector('.md-search-result__link')"
            found = []
            for words in ("volatile", "exit+status"):
                browser.value(f"location.href = '{home}?q={words}'")
                found.append(browser.wait(f"location.href.startsWith('{home}?q={words}') && {link} && {link}.href"))
            asked = [each for each in browser.errors if home not in each and not each.startswith("asked for data:")]
        server.shutdown()
    assert found[0].startswith(f"{home}rules/volatile-private/")
    assert found[1].startswith(f"{home}commands/")
    assert asked == []


@pytest.mark.browser
def test_the_site_is_read_and_searched_from_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (reason := chromium.missing()) is not None:
        pytest.skip(reason)
    if shutil.which("mkdocs", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("MkDocs is not installed (pip install -e '.[docs]')")
    monkeypatch.setattr(chromium, "_WAIT", 300.0)
    home = f"{_built(tmp_path, OFFLINE='true').as_uri()}/"
    with chromium.Chromium() as browser:
        browser.go(f"{home}index.html?q=volatile")
        link = "document.querySelector('.md-search-result__link')"
        found = browser.wait(f"location.href.startsWith('{home}') && {link} && {link}.href")
        asked = browser.errors.copy()
        browser.go(found)
        rule = browser.wait("location.href.includes('volatile-private') && document.querySelector('h1')?.textContent")
        asked += browser.errors
        asked = [each for each in asked if home not in each and not each.startswith("asked for data:")]
    assert found.startswith(f"{home}rules/volatile-private.html")
    assert "volatile-private" in rule
    assert asked == []
