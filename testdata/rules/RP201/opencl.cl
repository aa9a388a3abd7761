// Powers in OpenCL C, where `pow` has the type of its argument.

kernel void squares(global const double* a, global double* b, int m, int n) {
  int i = get_global_id(0);
  double sum = 0.0;
  for (int j = 0; j < m; ++j) sum += pow(a[j * n + i], 2.0);  // expect: RP201 warning @38 "IGC/clang" "with the fix the estimate is"
  b[i] = sum;
}

__kernel void roots(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int j = 0; j < m; ++j) sum += pow(a[j * n + i], 0.5f);  // expect: RP201 "`pow(a[j * n + i], 0.5f)`"
  b[i] = sum;
}

__kernel void any_power(__global const double* a, __global double* b, double p, int n) {
  int i = get_global_id(0);
  b[i] = pow(a[i], p);
}
