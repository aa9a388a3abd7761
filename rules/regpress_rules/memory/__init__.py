"""Arguments, pointers, calls and shared memory."""
