// Structs on Intel: IGC takes one that is nothing but an array for the array; one with another member, and one that a
// kernel captures and copies, is in memory with all that it has.
#include <sycl/sycl.hpp>

struct Wide {
  float v[48];
};
struct Row {
  float v[12];
};
struct Stack {
  int entries[16];
  int top;
};

void captured(sycl::queue& q, Wide w, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    Wide own = w;  // expect: RP403 warning @10 "private `own` (Wide, 192 bytes per thread) goes to private memory"
    own.v[i % 48] = in[i];
    out[i] = own.v[(int)in[i] % 48];
  });
}

void alone(sycl::queue& q, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    Row row;
    for (int k = 0; k < 12; ++k) row.v[k] = in[k * n + i];
    out[i] = row.v[(unsigned)in[i] % 12];
  });
}

void stack(sycl::queue& q, const int* in, int* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    Stack s;  // expect: RP403 warning @11 "private `s` (Stack, 68 bytes per thread) goes to private memory"
    s.top = 0;
    for (int k = 0; k < n; ++k) {
      if (in[k * n + i] > 0 && s.top < 16) s.entries[s.top++] = in[k * n + i];
      else if (s.top > 0) out[i] += s.entries[--s.top];
    }
  });
}
