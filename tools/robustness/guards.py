"""Remove the guards of a run one by one: a test must fail for each (tests/security_promises.md).

    python -m tools.robustness.guards            all of them, one after another: about ten minutes
    python -m tools.robustness.guards PART       those whose name has this part

In a copy of the repository a guard's text is replaced, and the tests that are named for it run; with all guards they
have to pass. A guard whose tests do not notice, and a text that is not in its file any more, end it with status 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tools.robustness.mutation_map import copied_to, tally
from tools.robustness.reading_guards import READING, Guard

if TYPE_CHECKING:
    from collections.abc import Sequence


_COMPILES, _READERS = "test_measure_compiles.py", "test_measured_readers.py"
_DAMAGE, _PLACES = "test_measured_damage.py", "test_measured_places.py"
_VERIFY, _COMMANDS = "test_verify_command.py", "test_compile_commands.py"
GUARDS = (
    Guard("compilers: none of the tree", "core/programs.py",
          "        spelling == root or spelling.startswith(root + os.sep)\n", "        False\n",
          f"{_COMPILES}::test_a_compiler_in_the_tree_is_never_run {_COMPILES}::test_a_link_into_the_tree_is_the_tree"),
    Guard("compilers: none of a relative folder", "core/programs.py",
          "dict.fromkeys(search.split(os.pathsep)) if os.path.isabs(folder))",
          "map(os.path.abspath, search.split(os.pathsep)))",
          f"{_DAMAGE}::test_a_folder_of_path_that_is_relative"),
    Guard("compilers: the project's only where it is trusted", "commands/measure/compilers.py",
          "if arguments.trust_project_compilers:", "if True:",
          f"{_VERIFY}::test_compilers_of_the_user_and_of_the_project"),
    Guard("commands: only words of the allow list", "compilation/flags.py",
          "and _WORD.fullmatch(word) is not None", "", f"{_COMPILES}::test_only_words_of_the_allow_list_come_back"),
    Guard("commands: only response files of the build folder", "compilation/commands.py",
          "if not _below(real, self.folder):", "if False:", f"{_COMMANDS}::test_no_other_response_file_is_read"),
    Guard("commands: no word that a shell would act on", "measured/processes.py",
          "if any(sign in word for sign in _ACTED_ON)", "if False",
          f"{_COMPILES}::test_word_with_shell_characters_is_not_passed_to_nvcc"),
    Guard("commands: no flags of the environment", "measured/processes.py",
          "name not in _DROPPED and name not in without}", "name not in without}",
          f"{_COMPILES}::test_flags_of_the_environment_do_not_count"),
    Guard("commands: no variable that leads into the tree", "measured/processes.py",
          "name not in _DROPPED and name not in without}", "name not in _DROPPED}",
          f"{_COMPILES}::test_a_host_compiler_of_the_tree_is_never_run"),
    Guard("runs: a deadline", "measured/processes.py", "process.wait(seconds)", "process.wait()",
          f"{_COMPILES}::test_a_deadline_ends_all_that_a_compiler_started"),
    Guard("runs: what a compiler started ends with it", "measured/processes.py",
          "os.killpg(process.pid, signal.SIGKILL)", "process.kill()",
          f"{_COMPILES}::test_a_deadline_ends_all_that_a_compiler_started"),
    Guard("runs: an interruption ends them", "commands/measure/compilers.py", "processes.end_all()", "pass",
          f"{_COMPILES}::test_interruption_ends_running_compilers"),
    Guard("runs: a limit of memory", "measured/processes.py", "(r.RLIMIT_AS, int(sys.argv[1])), ", "",
          f"{_COMPILES}::test_a_compiler_has_limits_of_memory_and_files"),
    Guard("runs: a limit of files", "measured/processes.py", "(r.RLIMIT_FSIZE, int(sys.argv[2])), ", "",
          f"{_COMPILES}::test_a_compiler_has_limits_of_memory_and_files"),
    Guard("runs: in a private folder", "measured/processes.py", "cwd=folder,", "",
          f"{_COMPILES}::test_a_build_is_measured_by_the_chosen_compiler"),
    Guard("runs: with temporary files there", "measured/processes.py", '"TMPDIR": folder, ', "",
          f"{_COMPILES}::test_a_build_is_measured_by_the_chosen_compiler"),
    Guard("logs: of clang that are cut", "measured/clang_remarks.py",
          "if kernel.spoilt or not values.keys() >= _NEEDED:", "if kernel.spoilt:",
          f"{_READERS}::test_truncated_log_is_reported"),
    Guard("logs: of ptxas that are cut", "measured/nvidia.py",
          'problems += [f"{name}: kernel {kernel.symbol} is left out: the log ends before its registers"', "_ = [0",
          f"{_READERS}::test_truncated_log_is_reported"),
    Guard("logs: kernels of one place that are mixed", "measured/clang_remarks.py",
          "kernel.spoilt or len(fitting) > 1", "kernel.spoilt",
          f"{_READERS}::test_ambiguous_kernels_of_one_place_are_skipped"),
    Guard("logs: two ptxas that are mixed", "measured/nvidia.py",
          "if len(waiting) == 1 and waiting[0].frame is not None:", "if waiting and waiting[0].frame is not None:",
          f"{_READERS}::test_kernels_of_two_ptxas_at_once_are_left_out"),
    Guard("logs: two targets of a kind", "measured/amd.py",
          "fitting[0] if len(fitting) == 1 else None", "fitting[0] if fitting else None",
          f"{_READERS}::test_similar_gpus_of_a_log_are_not_distinguished"),
    Guard("objects: a header that is cut", "measured/elf.py", "or len(data) < _HEADER.size:", ":",
          f"{_DAMAGE}::test_an_object_that_is_cut"),
    Guard("objects: a section table that is cut", "measured/elf.py",
          "or table + width > len(self.data):", ":", f"{_DAMAGE}::test_an_object_that_is_cut"),
    Guard("objects: sections without end", "measured/elf.py",
          "if count > _MOST_SECTIONS or table + width * count > len(self.data):", "if False:",
          f"{_DAMAGE}::test_an_object_that_is_cut"),
    Guard("objects: of another machine", "measured/bundles.py",
          'if elf.machine in _DEVICES or elf.section(".ze_info") is not None:', "if True:",
          f"{_DAMAGE}::test_an_elf_file_that_is_not_for_a_gpu"),
    Guard("objects: of 32 bits", "measured/elf.py", 'if ident[4:6] != b"\\x02\\x01":', "if False:",
          f"{_DAMAGE}::test_an_elf_file_that_is_not_for_a_gpu"),
    Guard("notes: longer than their section", "measured/elf.py", "if content_at + size > len(data):", "if False:",
          f"{_DAMAGE}::test_a_note_with_a_wrong_length"),
    Guard("notes: lengths beyond their end", "measured/amd.py",
          "if length > len(self._data) - self._at:", "if False:", f"{_DAMAGE}::test_messagepack_that_is_damaged"),
    Guard("notes: nested without end", "measured/amd.py", "if depth > _MOST_DEEP:", "if False:",
          f"{_DAMAGE}::test_messagepack_that_is_damaged"),
    Guard("notes: cut", "measured/amd.py", "except struct.error:", "except KeyboardInterrupt:",
          f"{_DAMAGE}::test_messagepack_that_is_damaged"),
    Guard("bundles: an entry that is cut", "measured/bundles.py",
          "if at > len(data) or offset + length > len(data):", "if False:",
          f"{_DAMAGE}::test_truncated_binaries"),
    Guard("bundles: entries without end", "measured/bundles.py", "if count > _MOST_ENTRIES:", "if False:",
          f"{_DAMAGE}::test_truncated_binaries"),
    Guard("bundles: compressed ones that hold less than they say", "measured/bundles.py",
          "if len(plain) < size:", "if False:",
          f"{_DAMAGE}::test_truncated_binaries"),
    Guard("bundles: no more is unpacked than they say", "measured/elf.py",
          "decompress(data, min(size, MOST_BYTES))", "decompress(data)",
          f"{_DAMAGE}::test_truncated_binaries"),
    Guard("bundles: one that holds itself", "measured/bundles.py", "if min(self._left) < 0:", "if False:",
          f"{_READERS}::test_self_containing_bundle_terminates"),
    Guard("debug information: what is wrong with it", "measured/binary_places.py",
          "except (DwarfError, ElfError) as error:", "except KeyboardInterrupt as error:",
          f"{_PLACES}::test_damaged_debug_information_keeps_the_numbers"),
    Guard("debug information: split off", "measured/binary_places.py",
          "if any(name in values for name in _OTHER_FILE):", "if False:",
          f"{_PLACES}::test_split_debug_information_gives_no_line"),
    Guard("debug information: without end", "measured/dwarf.py",
          "if self._left < 0:", "if False:", f"{_PLACES}::test_of_one_file_only_so_much_is_read"),
)  # fmt: skip


def passes(folder: Path, tests: str) -> bool:
    """Whether tests pass in a copy. One that takes minutes does not."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    for one in tests.split():
        name, _, test = one.partition("::")
        (path,) = (folder / "tests").rglob(name)
        command.append(f"{path}::{test}" if test else str(path))
    searched = os.pathsep.join(str(folder / name) for name in ("", "rules"))
    environment = {**os.environ, "PYTHONPATH": searched}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def noticed(guard: Guard, folder: Path) -> str:
    """Result of removing a guard."""
    file = folder / "regpress_lint" / guard.path
    text = file.read_text(encoding="utf-8")
    if text.count(guard.text) != 1:
        return "NOT FOUND in its file"
    try:
        file.write_text(text.replace(guard.text, guard.without), encoding="utf-8")
        told = not passes(folder, guard.tests)
    finally:
        file.write_text(text, encoding="utf-8")
    return "noticed" if told else "NOT NOTICED by its tests"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    part = "".join(sys.argv[1:] if arguments is None else arguments)
    chosen = [guard for guard in (*READING, *GUARDS) if part in guard.name]
    with tempfile.TemporaryDirectory(prefix="regpress-guards-") as place:
        folder = Path(place) / "copy"
        copied_to(folder)
        if not passes(folder, " ".join(dict.fromkeys(" ".join(guard.tests for guard in chosen).split()))):
            print("their tests fail with the guards, too")
            return 1
        answers = ((guard.name, noticed(guard, folder)) for guard in chosen)
        return tally(answers, len(chosen), "guards are noticed when they are taken away")


if __name__ == "__main__":
    raise SystemExit(main())
