// known miss: flags pvc: IGC spills at 78 of 128 live registers here, which an estimate of registers does not see
#define UNROLL __attribute__((opencl_unroll_hint))

// The best of m candidates for each of 24 queries, by number: carried through a loop and changed on a condition.
__kernel void best_smell(__global const float* a, __global const float* c, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[24];
  ulong at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) {
    s[e] = 1e30f;
    at[e] = 0;
  }
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
    UNROLL
    for (int e = 0; e < 24; ++e) {
      float d = fabs(a[e] - y);
      if (d < s[e]) {
        s[e] = d;
        at[e] = j;
      }
    }
  }
  UNROLL
  for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
}

__kernel void best_repaired(__global const float* a, __global const float* c, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[24];
  uint at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) {
    s[e] = 1e30f;
    at[e] = 0;
  }
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
    UNROLL
    for (int e = 0; e < 24; ++e) {
      float d = fabs(a[e] - y);
      if (d < s[e]) {
        s[e] = d;
        at[e] = j;
      }
    }
  }
  UNROLL
  for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
}

// Flags, set in a loop.
__kernel void flags_smell(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  long seen[16];
  UNROLL
  for (int e = 0; e < 16; ++e) seen[e] = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    UNROLL
    for (int e = 0; e < 16; ++e) {
      if (x > e) seen[e] = 1;
    }
  }
  float s = 0.0f;
  UNROLL
  for (int e = 0; e < 16; ++e) {
    if (seen[e]) s += e * s + 1.0f;
  }
  b[i] = s;
}

__kernel void flags_repaired(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  int seen[16];
  UNROLL
  for (int e = 0; e < 16; ++e) seen[e] = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    UNROLL
    for (int e = 0; e < 16; ++e) {
      if (x > e) seen[e] = 1;
    }
  }
  float s = 0.0f;
  UNROLL
  for (int e = 0; e < 16; ++e) {
    if (seen[e]) s += e * s + 1.0f;
  }
  b[i] = s;
}

// A stack of 32-bit numbers: a run-time index.
__kernel void stack_smell(__global const int* a, __global int* b, int m, int n) {
  int i = get_global_id(0);
  long stack[32];
  int top = 0;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 32) {
      stack[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = stack[--top];
    }
  }
}

__kernel void stack_repaired(__global const int* a, __global int* b, int m, int n) {
  int i = get_global_id(0);
  int stack[32];
  int top = 0;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 32) {
      stack[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = stack[--top];
    }
  }
}

// A permutation of 16, which fits the vector registers of clang.
__kernel void permutation_smell(__global const int* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  ulong p[16];
  for (int e = 0; e < 16; ++e) p[e] = e;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i] & 15;
    ulong t = p[0];
    p[0] = p[x];
    p[x] = t;
  }
  for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
}

__kernel void permutation_repaired(__global const int* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  uint p[16];
  for (int e = 0; e < 16; ++e) p[e] = e;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i] & 15;
    uint t = p[0];
    p[0] = p[x];
    p[x] = t;
  }
  for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
}

// Read once, then only used: compilers keep 32 bits of each.
__kernel void held_smell(__global const float* a, __global const int* k, __global float* b, int m, int n) {
  int i = get_global_id(0);
  long at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j, a += n) {
    UNROLL
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e]];
  }
  b[i] = s;
}

__kernel void held_repaired(__global const float* a, __global const int* k, __global float* b, int m, int n) {
  int i = get_global_id(0);
  int at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j, a += n) {
    UNROLL
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e]];
  }
  b[i] = s;
}

// The same, multiplied in the loop. The repair multiplies in 32 bits, which is the same only if the products fit.
__kernel void scaled_smell(__global const float* a, __global const uint* k, __global float* b, int m, int n) {
  int i = get_global_id(0);
  ulong at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    UNROLL
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
  }
  b[i] = s;
}

__kernel void scaled_repaired(__global const float* a, __global const uint* k, __global float* b, int m, int n) {
  int i = get_global_id(0);
  uint at[24];
  UNROLL
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    UNROLL
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
  }
  b[i] = s;
}
