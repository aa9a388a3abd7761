"""The page of `report` and `pressure --html`: one self-contained file.

`tones` says what a register count costs, `data` turns kernels into what the page holds, `document` writes the file.
`page.css` and the scripts beside them go into it as they are.
"""
