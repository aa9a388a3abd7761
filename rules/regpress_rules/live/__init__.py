"""Live ranges."""
