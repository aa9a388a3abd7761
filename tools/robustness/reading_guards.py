"""What keeps the reading of foreign sources safe, for `guards.py`: what each guard is, and the tests that miss it."""

from __future__ import annotations

from typing import NamedTuple


class Guard(NamedTuple):
    """A promise, the text that keeps it, the text without it, and the tests that notice."""

    name: str
    path: str
    text: str
    without: str
    tests: str


_HOSTILE, _BAD, _SAFETY = "test_hostile_input.py", "test_bad_input.py", "test_semantic_safety.py"
_INCLUDES, _DISCOVERY, _FORMATS = "test_includes.py", "test_discovery.py", "test_formats.py"
_APPENDED = (
    "node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ''));"
)
_AS_MARKUP = (
    "for (const one of children.flat(Infinity)) if (typeof one === 'string') node.insertAdjacentHTML('beforeend', one);"
    " else if (one !== null && one !== undefined) node.append(one);"
)
READING = (
    Guard("reading: links to folders", "lint/discovery.py",
          "        if entry.is_dir(follow_symlinks=False):\n            if _is_skipped",
          "        if entry.is_dir():\n            if _is_skipped", f"{_DISCOVERY}::test_links"),
    Guard("reading: pipes among the sources", "lint/discovery.py", "if not stat.S_ISREG(status.st_mode):", "if False:",
          f"{_BAD}::test_irregular_files"),
    Guard("reading: pipes among the headers", "core/reading.py",
          'flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))', "flags)",
          f"{_BAD}::test_included_pipe_does_not_hang"),
    Guard("reading: standard input without end", "cli/inputs.py",
          "if len(data) > settings.max_file_bytes:", "if False:", f"{_BAD}::test_standard_input_above_the_limit_fails"),
    Guard("reading: files without end", "lint/analysis.py", "limit = settings.max_file_bytes", "limit = 1 << 40",
          f"{_BAD}::test_a_large_file_is_named_and_left_out"),
    Guard("includes: a million", "cpp/preprocess/outlines.py",
          "_MAX_INCLUDES_PER_FILE = 512", "_MAX_INCLUDES_PER_FILE = 1 << 40", f"{_HOSTILE}::test_includes_without_end"),
    Guard("includes: headers without end", "cpp/preprocess/includes.py",
          "if allowed is None and (len(reached) >= MAX_CLOSURE_FILES or size > MAX_CLOSURE_BYTES):", "if False:",
          f"{_INCLUDES}::test_the_closure_is_bounded_in_number_and_in_bytes"),
    Guard("includes: none outside of the project", "cpp/preprocess/includes.py",
          "return self._load(path) if may or any(is_inside(folder, path) for folder in self._named_dirs) else None",
          "return self._load(path)", f"{_INCLUDES}::test_no_file_outside_the_project_is_read"),
    Guard("includes: folders of a configuration", "core/reading.py",
          'return not path.startswith(("../", "/")) and path != ".."', "return True",
          f"{_HOSTILE}::test_include_folders_outside_of_the_project_are_not_read"),
    Guard("templates: instances without end", "source/reached_calls.py",
          "MOST_INSTANTIATIONS = 32", "MOST_INSTANTIATIONS = 1 << 40",
          f"{_HOSTILE}::test_members_that_instantiate_their_class_for_ever"),
    Guard("suppressions: text without end", "lint/suppressions.py", r"""(?P=delimiter)"|\Z)""", '(?P=delimiter)")',
          "test_suppressions.py::test_hostile_text_is_read_in_linear_time"),
    Guard("terminal: escapes and signs that turn text around", "render/terminal.py",
          'return "".join(_escape(char) if _is_hidden(char) else char for char in text)', "return text",
          f"{_HOSTILE}::test_names_with_terminal_escapes {_HOSTILE}::test_bidirectional_control_characters_are_shown"),
    Guard("terminal: links", "render/terminal.py",
          "if not self.links or not url or not (url.isascii() and url.isprintable()):", "if not self.links or not url:",
          f"{_FORMATS}::test_links_hold_only_printable_urls"),
    Guard("GitHub: commands in names", "render/services.py",
          'text.replace("%", "%25").replace("\\r", "%0D").replace("\\n", "%0A")', "text",
          f"{_FORMATS}::test_github_survives_hostile_names_and_messages"),
    Guard("XML: markup in names", "render/xml.py",
          'text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace(\'"\', "&quot;")', "text",
          "test_service_formats.py::test_xml_escapes_invalid_characters"),
    Guard("Markdown: columns in names", "render/markdown.py", '.replace("|", "\\\\|") if shown', " if shown",
          "test_service_formats.py::test_markdown_is_a_table_for_any_names"),
    Guard("SARIF: URIs", "render/sarif.py", 'return quote_from_bytes(raw, safe="/")',
          'return raw.decode("utf-8", "replace")', "test_sarif.py::test_sarif_uris"),
    Guard("pages: markup in a title", "commands/pressure/page/__init__.py",
          "<title>{escape(plain(title))}</title>", "<title>{plain(title)}</title>",
          "test_pressure_html.py::test_nothing_of_the_source_becomes_markup"),
    Guard("pages: scripts of others", "commands/pressure/page/__init__.py",
          "script-src {_hash(script)}", "script-src *",
          "test_report.py::test_only_the_page_s_own_script_and_style_may_run"),
    Guard("pages: text as markup, in a browser", "commands/pressure/page/base.js", _APPENDED, _AS_MARKUP,
          "test_page_browser.py::test_hostile_sources_stay_text"),
    Guard("configuration: TOML that nests", "core/reading.py", "except RecursionError:", "except KeyboardInterrupt:",
          f"{_HOSTILE}::test_toml_that_nests_without_end"),
    Guard("configuration: without end", "config/load.py", "_LARGEST = 1 << 20", "_LARGEST = 1 << 30",
          f"{_HOSTILE}::test_configurations_and_baselines_without_end"),
    Guard("configuration: a cache folder that holds other files", "lint/cache.py",
          "return len(key) == 32 and _DIGITS.issuperset(key) and bool(kind) and", "return",
          f"{_HOSTILE}::test_a_cache_folder_outside_gets_our_files_and_loses_none"),
    Guard("configuration: a cache folder with a .gitignore", "lint/cache.py",
          "is not None and entry[0] == text:", "is not None:",
          f"{_HOSTILE}::test_a_cache_folder_outside_gets_our_files_and_loses_none"),
    Guard("git: what a repository configures", "lint/git.py", '"-c", "core.fsmonitor=false", ', "",
          f"{_DISCOVERY}::test_nothing_that_a_repository_configures_is_executed"),
    Guard("modules: of the working folder", "__main__.py", "        del sys.path[0]", "        pass",
          f"{_HOSTILE}::test_modules_of_the_working_folder_are_not_imported"),
    Guard("compile commands: response files elsewhere", "compilation/commands.py",
          "if not _below(real, self.folder):", "if False:",
          "test_compile_commands.py::test_no_other_response_file_is_read"),
    Guard("libclang: a deadline", "semantics/client.py", "self._lines.get(timeout=seconds)", "self._lines.get()",
          f"{_SAFETY}::test_late_answer_is_dropped_and_ends_the_process"),
    Guard("libclang: crashes are not tried again", "semantics/translation.py",
          "            if self._tried:", "            if False:",
          f"{_SAFETY}::test_a_file_that_made_libclang_crash_is_parsed_once"),
    Guard("libclang: nothing outside, no writing, nothing run", "semantics/confine.py",
          'return sys.platform == "linux" and _landlock(roots)', "return True",
          f"{_SAFETY}::test_the_process_can_neither_write_nor_run_anything"),
    Guard("libclang: a package clang of the working folder", "semantics/client.py", '"-P", "-m"', '"-m"',
          f"{_SAFETY}::test_a_package_named_clang_in_the_working_folder_is_not_imported"),
    Guard("bundles: zstd frames", "measured/elf.py", "ZstdDecompressor().stream_reader(data).read(size)",
          "ZstdDecompressor().stream_reader(data).read()",
          "test_measured_readers.py::test_zstd_frame_requests_no_more_than_needed"),
    Guard("bundles: zstd frames, by Python itself", "measured/elf.py", ".decompress(data, size)",
          ".decompress(data, 1 << 62)", "test_measured_readers.py::test_zstd_frame_requests_no_more_than_needed"),
)  # fmt: skip
