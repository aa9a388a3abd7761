"""Scripts of the repository: generators, measurements and attacks, run from its root with `python -m`."""
