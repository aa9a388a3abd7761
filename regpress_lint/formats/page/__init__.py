"""The page of `report` and `pressure --html`: one self-contained file.

`tones` says what a register count costs, `data` and `findings` turn kernels and findings into what the page holds,
`packs` makes it small, `document` writes the file. `page.css` and the scripts beside them go into it as they are.
"""
