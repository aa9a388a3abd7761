"""Requests of the editor, one file each: functions over a `Look` that the worker calls."""
