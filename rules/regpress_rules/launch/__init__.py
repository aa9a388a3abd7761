"""Launch bounds, block sizes and occupancy."""
