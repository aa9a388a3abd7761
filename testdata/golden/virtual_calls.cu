// Calls whose callee nobody knows before the program runs: virtual functions, tables of functions, pointers to them.
#include "common.h"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
class Circle : public Shape {
 public:
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.14159f * radius * radius; }

 private:
  float radius;
};
class Box : public Shape {
 public:
  __device__ Box(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }

 private:
  float width, height;
};

__global__ void sum_areas(Shape** shapes, float* out, int n) {
  float sum = 0.0f;
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) sum += shapes[i]->area();
  out[INDEX] = sum;
}

__global__ void one_virtual_call(Shape** shapes, float* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = shapes[i]->area();
}

__global__ void virtual_with_state(Shape** shapes, const float4* weights, float4* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  const float4 w = weights[i];
  const float a = shapes[i]->area(), b = shapes[i + n]->area();
  out[i] = make_float4(w.x * a, w.y * b, w.z * a * b, w.w + a - b);
}

__global__ void known_object(const float* sizes, float* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  const Circle circle(sizes[i]);
  const Box box(sizes[i], sizes[i + n]);
  out[i] = circle.area() + box.area();
}

typedef float (*Operation)(float);
__device__ __noinline__ float squared(float x) { return x * x; }
__device__ __noinline__ float doubled(float x) { return x + x; }
__device__ Operation operations[2] = {squared, doubled};

__global__ void by_table(const float* in, const int* kind, float* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = operations[kind[i] & 1](in[i]);
}

__global__ void by_given_pointer(const float* in, Operation f, float* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = f(in[i]) + in[i + n];
}
