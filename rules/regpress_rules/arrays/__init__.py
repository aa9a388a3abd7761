"""Private variables and arrays."""
