"""A kernel as the values a compiler sees: executed symbolically, without names, copies and what folds away.

`build` executes: `machine` holds the state, `journal` takes a trial back; `execute`, `evaluate`, `calls`, `lvalues` and
`run_loops` are the parts of the syntax. `graph` has the values, `ops` their operations, `objects` private objects,
`verify` checks every graph.
"""
