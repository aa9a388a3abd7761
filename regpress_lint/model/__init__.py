"""A kernel as the values a compiler sees: executed symbolically, without names, copies and what folds away.

`interpreter` executes: `machine` holds the state, `journal` takes a trial back; `statements`, `expressions`, `calls`,
`places` and `loops` are the parts of the syntax, and `verify` checks what comes out. `graph` has the values, their
operations and private objects. `passes` decide, one thing each; `estimate` turns the graph into registers.
"""

from __future__ import annotations
