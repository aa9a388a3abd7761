"""The data of `regpress-lint pressure`: the registers of the order behind the estimate, beside the source.

`places` says which line a value of the graph comes from, `values` what it is in words, `lines` puts both together.
"""
