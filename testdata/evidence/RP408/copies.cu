// targets: gfx90a, gfx1100, sm_90
// known miss: large sm_90: more warps, and 3.3 times the time
struct Cell {
  float f[19];
  int flags;
};

struct Small {
  float f[6];
};

struct Large {
  float f[40];
  int flags;
};

// One direction of many, chosen at run time: the copy must stay in one piece.
// time: sample threads=524288 size=10485760 m=16 n=524288
__global__ void sample_smell(const float* a, const int* dir, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  Cell cell = cells[i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += cell.f[(dir[k * n + i] + k) & 15];
  b[i] = s;
}

__global__ void sample_repaired(const float* a, const int* dir, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  const Cell& cell = cells[i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += cell.f[(dir[k * n + i] + k) & 15];
  b[i] = s;
}

// The same once: ptxas selects among registers, clang takes scratch.
// time: once threads=1048576 size=20971520
__global__ void once_smell(const float* a, const int* dir, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  Cell cell = cells[i];
  b[i] = cell.f[dir[i] & 15] * cell.flags;
}

__global__ void once_repaired(const float* a, const int* dir, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  const Cell& cell = cells[i];
  b[i] = cell.f[dir[i] & 15] * cell.flags;
}

// Small enough for LDS, of which clang takes some for 1,024 threads.
// time: small threads=1048576 size=6291456
__global__ void small_smell(const float* a, const int* dir, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Small* cells = reinterpret_cast<const Small*>(a);
  Small cell = cells[i];
  b[i] = cell.f[dir[i] % 6] + cell.f[0];
}

__global__ void small_repaired(const float* a, const int* dir, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Small* cells = reinterpret_cast<const Small*>(a);
  const Small& cell = cells[i];
  b[i] = cell.f[dir[i] % 6] + cell.f[0];
}

// Two members changed, stored to another array.
// time: forward threads=524288 size=10485760 n=3
__global__ void forward_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  Cell* moved = reinterpret_cast<Cell*>(b);
  Cell cell = cells[i];
  cell.f[3] += 1.0f;
  cell.flags = n;
  moved[i] = cell;
}

__global__ void forward_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  Cell* moved = reinterpret_cast<Cell*>(b);
  moved[i] = cells[i];
  moved[i].f[3] += 1.0f;
  moved[i].flags = n;
}

// The same of 164 bytes: ptxas loads all of it before it stores any.
// time: large threads=262144 size=10747904 n=3
__global__ void large_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Large* cells = reinterpret_cast<const Large*>(a);
  Large* moved = reinterpret_cast<Large*>(b);
  Large cell = cells[i];
  cell.f[3] += 1.0f;
  cell.flags = n;
  moved[i] = cell;
}

__global__ void large_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Large* cells = reinterpret_cast<const Large*>(a);
  Large* moved = reinterpret_cast<Large*>(b);
  moved[i] = cells[i];
  moved[i].f[3] += 1.0f;
  moved[i].flags = n;
}

// Stored back to where it is from: every compiler changes the two members in place.
// time: back threads=524288 size=10485760 n=3
__global__ void back_smell(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell* cells = reinterpret_cast<Cell*>(a);
  Cell cell = cells[i];
  cell.f[3] += 1.0f;
  cell.flags = n;
  cells[i] = cell;
}

__global__ void back_repaired(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell* cells = reinterpret_cast<Cell*>(a);
  cells[i].f[3] += 1.0f;
  cells[i].flags = n;
}

// Constant indices: taken apart, and what is not needed is not loaded.
// time: parts threads=524288 size=10485760
__global__ void parts_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  Cell cell = cells[i];
  b[i] = cell.f[1] * cell.f[2] + cell.flags;
}

__global__ void parts_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell* cells = reinterpret_cast<const Cell*>(a);
  const Cell& cell = cells[i];
  b[i] = cell.f[1] * cell.f[2] + cell.flags;
}
