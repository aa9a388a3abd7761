// Private arrays: counted loops, indices known only at run time, tables, two dimensions, doubles, chars, structs.

__global__ void counted_only(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int k = 0; k < 12; k++) v[k] = in[k * n + i];
  for (int k = 11; k > 0; k--) v[k - 1] += 0.5f * v[k];
  for (int k = 0; k < 12; k++) out[k * n + i] = v[k];
}

__global__ void pick_one(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[10];
  for (int k = 0; k < 10; k++) v[k] = in[k * n + i];
  out[i] = v[which[i]];
}

__global__ void pick_one_of4(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v[4] = {in[i], in[n + i], in[2 * n + i], in[3 * n + i]};
  out[i] = v[which[i] & 3];
}

__global__ void write_one(const float* in, const int* which, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; k++) v[k] = 0.0f;
  v[which[i]] = in[i];
  v[which[n + i]] += in[n + i];
  for (int k = 0; k < 24; k++) out[k * n + i] = v[k];
}

__global__ void run_time_count(const float* in, float* out, int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[32];
  for (int k = 0; k < count; k++) v[k] = in[k * n + i];
  float sum = 0.0f;
  for (int k = 0; k < count; k++)
    for (int j = 0; j < k; j++) sum += v[k] * v[j];
  out[i] = sum;
}

__global__ void reverse_count(const double* in, double* out, int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[20];
  for (int k = 0; k < 20; k++) v[k] = in[k * n + i];
  double x = 0.0;
  for (int k = count - 1; k >= 0; k--) x = x * v[k] + 1.0;
  out[i] = x;
}

__global__ void table_of_floats(const int* in, float* out, int n) {
  const float table[8] = {0.5f, 0.25f, 1.5f, 2.0f, 3.5f, 0.125f, 6.0f, 9.0f};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[in[i] & 7];
}

__global__ void table_static(const int* in, float* out, int n) {
  static const float table[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[in[i] & 15] + table[(in[i] >> 4) & 15];
}

__global__ void table_of_chars(const int* in, int* out, int n) {
  const signed char dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = 0, y = 0;
  for (int k = 0; k < 16; k++) {
    const int d = (in[i] >> (2 * k)) & 7;
    x += dx[d];
    y += dy[d];
  }
  out[i] = x * 1000 + y;
}

__global__ void chars_histogram(const unsigned char* in, unsigned char* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char seen[64];
  for (int k = 0; k < 64; k++) seen[k] = 0;
  for (int k = 0; k < length; k++) seen[in[k * n + i] & 63]++;
  for (int k = 0; k < 64; k++) out[k * n + i] = seen[k];
}

__global__ void shorts_window(const short* in, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  short v[32];
  for (int k = 0; k < 32; k++) v[k] = in[i + k];
  int sum = 0;
  for (int k = 0; k < 16; k++) sum += v[k] * v[31 - k];
  out[i] = static_cast<short>(sum >> 8);
}

__global__ void bools_sieve(int* out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool composite[128];
  for (int k = 0; k < 128; k++) composite[k] = false;
  const int first = i * 128 + 2;
  for (int p = 2; p < limit; p++)
    for (int m = (first + p - 1) / p * p; m < first + 128; m += p)
      if (m > p) composite[m - first] = true;
  int count = 0;
  for (int k = 0; k < 128; k++) count += !composite[k];
  out[i] = count;
}

__global__ void two_dimensions(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[5][5], b[5][5];
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) a[r][c] = in[(r * 5 + c) * n + i];
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) {
      float s = 0.0f;
      for (int k = 0; k < 5; k++) s += a[r][k] * a[k][c];
      b[r][c] = s;
    }
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) out[(r * 5 + c) * n + i] = b[c][r] - a[r][c];
}

__global__ void pivoted_lu(double* matrices, int* singular, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[6][6];
  int order[6];
  for (int r = 0; r < 6; r++) {
    order[r] = r;
    for (int c = 0; c < 6; c++) a[r][c] = matrices[(r * 6 + c) * n + i];
  }
  int bad = 0;
  for (int k = 0; k < 6; k++) {
    int best = k;
    for (int r = k + 1; r < 6; r++)
      if (fabs(a[order[r]][k]) > fabs(a[order[best]][k])) best = r;
    const int kept = order[k];
    order[k] = order[best];
    order[best] = kept;
    const double pivot = a[order[k]][k];
    if (pivot == 0.0) {
      bad = 1;
      continue;
    }
    for (int r = k + 1; r < 6; r++) {
      const double f = a[order[r]][k] / pivot;
      a[order[r]][k] = f;
      for (int c = k + 1; c < 6; c++) a[order[r]][c] -= f * a[order[k]][c];
    }
  }
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++) matrices[(r * 6 + c) * n + i] = a[order[r]][c];
  singular[i] = bad;
}

struct Entry {
  float key;
  int id;
};

__global__ void structs_heap(const float* in, Entry* out, int count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Entry heap[16];
  for (int k = 0; k < 16; k++) heap[k] = {3.4e38f, -1};
  for (int j = 0; j < count; j++) {
    const float x = in[j * n + i];
    if (x >= heap[0].key) continue;
    int at = 0;
    while (2 * at + 1 < 16) {
      int child = 2 * at + 1;
      if (child + 1 < 16 && heap[child + 1].key > heap[child].key) child++;
      if (heap[child].key <= x) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = {x, j};
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = heap[k];
}

__global__ void structs_counted(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[8];
  for (int k = 0; k < 8; k++) v[k] = in[k * n + i];
  for (int k = 1; k < 8; k++) {
    v[k].x += v[k - 1].x;
    v[k].y = fmaxf(v[k].y, v[k - 1].y);
    v[k].z *= v[k - 1].w;
  }
  for (int k = 0; k < 8; k++) out[k * n + i] = v[7 - k];
}

__global__ void stack_machine(const unsigned char* code, const float* in, float* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float stack[16];
  int top = 0;
  for (int pc = 0; pc < length; pc++) {
    const int op = code[pc];
    if (op < 16) stack[top++] = in[op * n + i];
    else if (op == 16) top--, stack[top - 1] += stack[top];
    else if (op == 17) top--, stack[top - 1] *= stack[top];
    else if (op == 18) top--, stack[top - 1] -= stack[top];
    else stack[top - 1] = sqrtf(fabsf(stack[top - 1]));
  }
  out[i] = stack[0];
}

__global__ void pointer_into(const float* in, float* out, const int* start, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[40];
  for (int k = 0; k < 40; k++) v[k] = in[k * n + i];
  const float* at = v + start[i];
  float sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += at[k];
  out[i] = sum;
}

__global__ void two_buffers(const float* in, float* out, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[16], b[16];
  float *from = a, *to = b;
  for (int k = 0; k < 16; k++) a[k] = in[k * n + i];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 16; k++) to[k] = 0.5f * (from[k] + from[(k + 1) % 16]);
    float* kept = from;
    from = to;
    to = kept;
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = from[k];
}

__global__ void ring_buffer(const float* in, float* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ring[16];
  for (int k = 0; k < 16; k++) ring[k] = 0.0f;
  float sum = 0.0f;
  for (int t = 0; t < length; t++) {
    const float x = in[t * n + i];
    sum += x - ring[t % 16];
    ring[t % 16] = x;
    out[t * n + i] = sum * 0.0625f;
  }
}

__global__ void ring_unrolled(const float* in, float* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ring[8];
  for (int k = 0; k < 8; k++) ring[k] = 0.0f;
  float sum = 0.0f;
  for (int t0 = 0; t0 < length; t0 += 8) {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      const float x = in[(t0 + k) * n + i];
      sum += x - ring[k];
      ring[k] = x;
      out[(t0 + k) * n + i] = sum * 0.125f;
    }
  }
}

// Longest common subsequence of two short strings; a row of the table in private memory.
__global__ void lcs_lengths(const char* a, const char* b, int* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row[65];
  for (int k = 0; k <= length; k++) row[k] = 0;
  for (int j = 0; j < length; j++) {
    int diagonal = 0;
    for (int k = 1; k <= length; k++) {
      const int above = row[k];
      row[k] = a[i * length + j] == b[i * length + k - 1] ? diagonal + 1 : max(above, row[k - 1]);
      diagonal = above;
    }
  }
  out[i] = row[length];
}

__global__ void large_local(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[1024];
  for (int k = 0; k < 1024; k++) v[k] = in[k * n + i];
  for (int half = 512; half > 0; half /= 2)
    for (int k = 0; k < half; k++) v[k] = v[2 * k] - 0.5f * v[2 * k + 1];
  out[i] = v[0];
}

__global__ void doubles_of_three(const double* points, double* out, const int* axis, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double p[3] = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
  const int a = axis[i];
  p[a] = -p[a];
  const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  for (int d = 0; d < 3; d++) out[3 * i + d] = p[d] / length;
}

__global__ void polynomial_products(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x[12], y[12], z[23];
  for (int k = 0; k < 12; k++) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
  for (int k = 0; k < 23; k++) z[k] = 0.0f;
  for (int j = 0; j < 12; j++)
    for (int k = 0; k < 12; k++) z[j + k] += x[j] * y[k];
  for (int k = 0; k < 23; k++) c[k * n + i] = z[k];
}

// A Cholesky factor of a symmetric matrix, packed by rows.
__global__ void cholesky_packed(float* matrices, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float l[36];
  for (int k = 0; k < 36; k++) l[k] = matrices[k * n + i];
  for (int c = 0; c < 8; c++) {
    for (int r = c; r < 8; r++) {
      float s = l[r * (r + 1) / 2 + c];
      for (int k = 0; k < c; k++) s -= l[r * (r + 1) / 2 + k] * l[c * (c + 1) / 2 + k];
      l[r * (r + 1) / 2 + c] = r == c ? sqrtf(s) : s / l[c * (c + 1) / 2 + c];
    }
  }
  for (int k = 0; k < 36; k++) matrices[k * n + i] = l[k];
}

// Eigenvalues of a symmetric 4 x 4 matrix by rotations; the pairs of rows come from two loops.
__global__ void jacobi_eigen4(const double* in, double* out, int sweeps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[4][4];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) a[r][c] = in[(r * 4 + c) * n + i];
  for (int s = 0; s < sweeps; s++)
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++) {
        if (fabs(a[p][q]) < 1e-14) continue;
        const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
        const double c = 1.0 / sqrt(t * t + 1.0), si = t * c;
        for (int k = 0; k < 4; k++) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - si * y;
          a[k][q] = si * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - si * y;
          a[q][k] = si * x + c * y;
        }
      }
  for (int k = 0; k < 4; k++) out[k * n + i] = a[k][k];
}
