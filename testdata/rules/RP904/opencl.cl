// Sub-group sizes of Intel's attribute: the Data Center GPU Max has 16 and 32, and other vendors ignore it.

__attribute__((intel_reqd_sub_group_size(8)))
__kernel void eight(__global float* b) {  // expect: RP904 error @15 "`eight` requires sub-groups of 8, and pvc has 16 and 32"
  b[get_global_id(0)] = 1.0f;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void sixteen(__global float* b) { b[get_global_id(0)] = 1.0f; }

__kernel void any_size(__global float* b) { b[get_global_id(0)] = 1.0f; }
