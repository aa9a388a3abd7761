"""What the editor may ask, one file each: functions over a `Look` that the worker calls."""
