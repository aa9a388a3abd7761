"""The language server: the same pipeline as on the command line, over texts that an editor has open.

It needs pygls (`pip install 'regpress-lint[lsp] @ git+URL'`) and is imported by `regpress-lint server` alone.
`docs/editors.md` says what it offers and how it is built.
"""
