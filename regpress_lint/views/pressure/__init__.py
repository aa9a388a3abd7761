"""What `regpress-lint pressure` shows: the registers of the order that the estimate is made of, beside the source.

`places` says which line a value of the graph comes from, `values` what it is in words, `lines` puts both together.
"""
