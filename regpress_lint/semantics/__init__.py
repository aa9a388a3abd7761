"""Facts that the syntax tree lacks: types, values and definitions that live in headers, answered by libclang.

The tree stays the one model of a file. This package answers questions about texts at places in it (`answers`), with
libclang in a process of its own (`client` here, `server` there): it is killed at a deadline, may crash, and may read
the project and the given include folders and nothing else (`confine`). Nothing of this is imported by a run in which no
question is open or the tier is off.
"""
