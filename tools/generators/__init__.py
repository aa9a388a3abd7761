"""Each writes generated files of the repository; `python tools/generate.py` runs them all."""
