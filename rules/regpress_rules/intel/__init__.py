"""Rules for Intel's GPUs only: sub-group sizes, register modes, private arrays that a sub-group can share."""
