// rule RP402 (wide-private-array) failed: ZeroDivisionError: integer division or modulo by zero
__global__ void crowd_smell(double   int n) {[28;
  int j [=] __device__ (int ) = 0;  m; ++j) double& (    ;
  }
