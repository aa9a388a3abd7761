"""The page of `report` and `pressure --html`: one self-contained file.

`data` turns kernels and findings into what the page holds, and makes it small; `document` writes the file. `page.css`
and the scripts beside them go into it as they are.
"""
