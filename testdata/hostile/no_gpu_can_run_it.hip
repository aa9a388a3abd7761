// rule RP201 (pow-small-exponent) failed: IndexError: list index out of range
__global__  accumulates( ) {
  asm ("v_accvgpr_write_b32 a9, %0" k ) pow([ 2.0);