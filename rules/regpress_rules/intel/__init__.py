"""What only Intel's GPUs ask for: sub-group sizes, register modes, private arrays that a sub-group can share."""
