// Memory that the device itself gives: new and delete, malloc and free.
#include "common.h"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

struct Circle {
  float x, y, radius;
  __device__ Circle(float a, float b, float r) : x(a), y(b), radius(r) {}
};

__global__ void make_circles(Circle** circles, const float* sizes, int n) {
  const int i = INDEX;
  if (i < n) circles[i] = new Circle(sizes[i], sizes[i + n], sizes[i + 2 * n]);
}

__global__ void delete_circles(Circle** circles, int n) {
  const int i = INDEX;
  if (i < n) delete circles[i];
}

__global__ void scratch_from_heap(const float* in, float* out, int length, int n) {
  const int i = INDEX;
  if (i >= n) return;
  float* v = new float[length];
  for (int k = 0; k < length; k++) v[k] = in[i + k * n];
  float sum = 0.0f;
  for (int k = 0; k < length; k++) sum += v[k] * v[length - 1 - k];
  delete[] v;
  out[i] = sum;
}

struct Node {
  Node* next;
  float value;
};
__global__ void build_lists(Node** heads, const float* values, int length, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Node* head = nullptr;
  for (int k = 0; k < length; k++) {
    Node* node = (Node*)malloc(sizeof(Node));
    if (!node) break;
    node->value = values[i + k * n];
    node->next = head;
    head = node;
  }
  heads[i] = head;
}

__global__ void free_lists(Node** heads, float* sums, int n) {
  const int i = INDEX;
  if (i >= n) return;
  float sum = 0.0f;
  for (Node* node = heads[i]; node;) {
    Node* next = node->next;
    sum += node->value;
    free(node);
    node = next;
  }
  sums[i] = sum;
}
