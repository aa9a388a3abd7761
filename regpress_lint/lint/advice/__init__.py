"""Changes that bring a kernel to more waves, or out of memory, tried on a copy of its source and not guessed."""
