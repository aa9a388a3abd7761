"""The graph of an executed kernel: values, their operations, ranges of integers, and private objects."""
