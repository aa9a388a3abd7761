// Device functions: inlined, kept apart, given pointers to locals, chosen at run time; and machines of many states.

__device__ __noinline__ float apart(float x, float y) {
  float s = x;
  for (int k = 0; k < 8; k++) s = s * y + sinf(s);
  return s;
}

__global__ void call_apart(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = apart(in[i], 0.5f) + apart(in[n + i], 0.25f);
}

__device__ __noinline__ void fill_local(float* v, const float* in, int n, int i) {
  for (int k = 0; k < 8; k++) v[k] = in[k * n + i] * k;
}

__global__ void local_to_callee(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
  fill_local(v, in, n, i);
  float sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += v[k];
  out[i] = sum;
}

__device__ __forceinline__ void both(float a, float b, float* sum, float* gap) {
  *sum = a + b;
  *gap = a - b;
}

__global__ void results_by_pointer(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s, d, e, f;
  both(in[i], in[n + i], &s, &d);
  both(s * s, d * d, &e, &f);
  out[i] = e * f + s - d;
}

__device__ __noinline__ int three_results(int x, int* a, int* b) {
  *a = x * 7 + 1;
  *b = x ^ (x >> 3);
  return *a - *b;
}

__global__ void results_from_apart(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int a, b;
  const int c = three_results(in[i], &a, &b);
  out[i] = a * b + c;
}

struct Complex {
  double re, im;
};
__device__ Complex operator*(const Complex& a, const Complex& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
__device__ double norm(const Complex& a) { return a.re * a.re + a.im * a.im; }

__global__ void julia_set(int* out, Complex c, double step, int most, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  Complex z = {(x - width / 2) * step, (y - height / 2) * step};
  int k = 0;
  while (k < most && norm(z) < 4.0) {
    z = z * z + c;
    k++;
  }
  out[y * width + x] = k;
}

__device__ float op_add(float a, float b) { return a + b; }
__device__ float op_mul(float a, float b) { return a * b; }
__device__ float op_max(float a, float b) { return fmaxf(a, b); }

__global__ void chosen_by_switch(const float* a, const float* b, const int* kind, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r;
  switch (kind[i]) {
    case 0: r = op_add(a[i], b[i]); break;
    case 1: r = op_mul(a[i], b[i]); break;
    case 2: r = op_max(a[i], b[i]); break;
    case 3: r = a[i] - b[i]; break;
    case 4: r = a[i] / b[i]; break;
    case 5: r = powf(a[i], b[i]); break;
    default: r = 0.0f;
  }
  out[i] = r;
}

__global__ void through_pointer(const float* a, const float* b, const int* kind, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float (*table[3])(float, float) = {op_add, op_mul, op_max};
  out[i] = table[kind[i] % 3](a[i], b[i]);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void recursive_calls(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fibonacci(in[i] & 15);
}

// Numbers out of text: a machine with five states.
__global__ void parse_numbers(const char* text, const int* starts, double* values, int* errors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int state = 0, exponent = 0, shift = 0;
  bool negative = false, negative_exponent = false;
  double value = 0.0;
  for (int k = starts[i]; k < starts[i + 1] && state != 9; k++) {
    const char c = text[k];
    const bool digit = c >= '0' && c <= '9';
    switch (state) {
      case 0:
        if (c == '-') negative = true, state = 1;
        else if (digit) value = c - '0', state = 1;
        else if (c != ' ') state = 9;
        break;
      case 1:
        if (digit) value = value * 10.0 + (c - '0');
        else if (c == '.') state = 2;
        else if (c == 'e' || c == 'E') state = 3;
        else state = 9;
        break;
      case 2:
        if (digit) value = value * 10.0 + (c - '0'), shift--;
        else if (c == 'e' || c == 'E') state = 3;
        else state = 9;
        break;
      case 3:
        if (c == '-') negative_exponent = true, state = 4;
        else if (digit) exponent = c - '0', state = 4;
        else state = 9;
        break;
      case 4:
        if (digit) exponent = exponent * 10 + (c - '0');
        else state = 9;
        break;
    }
  }
  shift += negative_exponent ? -exponent : exponent;
  for (; shift > 0; shift--) value *= 10.0;
  for (; shift < 0; shift++) value *= 0.1;
  values[i] = negative ? -value : value;
  errors[i] = state == 9;
}

// A byte code with eight registers; which register is in the code.
__global__ void register_machine(const uchar4* code, const int* in, int* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int r[8];
  for (int k = 0; k < 8; k++) r[k] = in[k * n + i];
  for (int pc = 0; pc >= 0 && pc < length;) {
    const uchar4 op = code[pc++];
    const int a = r[op.y & 7], b = r[op.z & 7];
    int d = 0;
    switch (op.x) {
      case 0: d = a + b; break;
      case 1: d = a - b; break;
      case 2: d = a * b; break;
      case 3: d = a & b; break;
      case 4: d = a | b; break;
      case 5: d = a ^ b; break;
      case 6: d = a << (b & 31); break;
      case 7: d = a >> (b & 31); break;
      case 8: d = b ? a / b : 0; break;
      case 9: d = a < b; break;
      case 10: if (a) pc += static_cast<signed char>(op.w); continue;
      default: pc = -1; continue;
    }
    r[op.w & 7] = d;
  }
  out[i] = r[0];
}

__global__ void vending_machine(const unsigned char* events, int* sold, int* change, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  enum { Idle, Paid, Chosen, Out } state = Idle;
  int money = 0, count = 0, back = 0;
  for (int t = 0; t < length; t++) {
    const int e = events[t * n + i];
    switch (state) {
      case Idle: if (e < 4) { money += e * 5; state = Paid; } break;
      case Paid:
        if (e < 4) money += e * 5;
        else if (e == 4 && money >= 15) state = Chosen;
        else if (e == 5) { back += money; money = 0; state = Idle; }
        break;
      case Chosen: count++; money -= 15; state = count > 99 ? Out : money ? Paid : Idle; break;
      case Out: back += money; money = 0; break;
    }
  }
  sold[i] = count;
  change[i] = back;
}
