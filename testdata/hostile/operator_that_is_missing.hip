// rule RP101 (missing-launch-bounds) failed: IndexError: string index out of range
__global__ void sixth(const , float*{
  int i = .  blockDim.x + *
  if (i = 2.0f * a(i];=}