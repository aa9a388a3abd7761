// What SYCL 2020 forbids and extensions allow: functions through pointers, and a function that calls itself.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

float smooth(float x) { return x * x; }
float sharp(float x) { return 3.0f * x; }

void shade(sycl::queue& queue, const float* a, float* b, int mode, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float (*filter)(float) = mode == 1 ? smooth : sharp;
    b[i] = filter(a[i]);  // expect: RP701 warning @12 "`filter` may be `smooth` and `sharp`" "58 VGPRs"
  });
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }  // expect: RP701 warning "`fibonacci` calls itself"

void numbers(sycl::queue& queue, const int* a, int* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    b[i] = fibonacci(a[i]);
  });
}

// A class with virtual functions, as extensions allow it, and a functor.
struct Shape {
  virtual float area(float x) const = 0;
};
struct Areas {
  Shape** shapes;
  const float* a;
  float* b;
  void operator()(sycl::nd_item<1> item) const {
    const int i = item.get_global_id(0);
    b[i] = shapes[i]->area(a[i]);  // expect: RP701 warning @12 "`area` is a virtual function" "`shapes[i]`"
  }
};

void areas(sycl::queue& queue, Shape** shapes, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), Areas{shapes, a, b});
}
