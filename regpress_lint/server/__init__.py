"""The language server: the same pipeline as on the command line, over texts that an editor has open.

It needs pygls (`pip install 'regpress-lint[lsp] @ git+URL'`) and is imported only by `regpress-lint server`.
`docs/editors.md` describes its features. How it is built:

- **The event loop never waits.** It applies changes and answers (`protocol.py`, `session.py`); one thread beside it
  analyses (`worker.py`, requests of the editor first) and keeps what is known of each text (`workbench.py`).
- **Stale work is dropped.** A job knows the version of its text. If the text changes, a job that has not begun is
  dropped; a running one gives up before the next rule, and inside a kernel after 64 statements.
- **What an edit does not concern is not computed again.** Rules run again for a kernel unless the edit lies inside
  one other function, the parse outside it is unchanged, the kernel does not reach that function, and its launches,
  bounds and instantiations are the same. A test compares the answers after random edits with those of a fresh run.
- **An edit is answered in two steps.** Kernels that took more than 30 ms together are left out of the first answer:
  their old findings are shown at the new lines, without fixes. The full answer follows when typing has paused for 50
  ms.
- **Parsing is incremental**, and a function's body is lowered on demand. A broken text is parsed once while it is
  typed; the other readings that `check` tries follow after 300 ms. Findings of kernels that an open `f(` hides for a
  moment stay, without their fixes.
- **One place reads files** (`lint/projects.py`), open texts first. Everything that a project keeps records the files
  that it came from (`cpp/dependencies.py`), and exactly that is dropped when one changes.
- **Places are byte offsets** until they leave. A lone CR ends a line only for editors, so it is read as LF.
- **A rule that fails** becomes a finding (RP009), a message and a traceback in the log; the others go on.
"""
