"""A kernel as the values a compiler sees: executed symbolically, without names, copies and what folds away.

`machine` holds the state of one execution; `expressions`, `calls`, `statements` and `loops` say what each part of the
syntax does to it; `graph` has the values, `schedule` puts them in an order and measures how many are alive at a time.
"""
