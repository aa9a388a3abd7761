"""Lanes of vectors: by index, by the members of SYCL's classes, and their first values."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import Kind
from regpress_lint.model.passes.placement import executed

DECLARED = {
    "attribute": ("hip", "F v;"),
    "attribute with lanes": ("hip", "F v = {1.f, 2.f};"),
    "empty braces": ("hip", "F v = {};"),
    "member": ("hip", "struct { F m; int k; } s; auto& v = s.m;"),
    "sycl": ("sycl", "sycl::vec<float, 8> v;"),
    "marray": ("sycl", "sycl::marray<float, 8> v;"),
}


@pytest.mark.parametrize("form", DECLARED)
def test_lanes_that_are_written_by_index_are_those_that_are_read(form: str) -> None:
    language, declared = DECLARED[form]
    body = f"""{declared} for (int k = 0; k < 8; ++k) v[k] = p[i + k * n];
  for (int r = 0; r < n; ++r) v = v * v + 1.5f;
  for (int k = 0; k < 8; ++k) o[i + k * n] = v[k];"""
    text = "typedef float F __attribute__((ext_vector_type(8)));\n"
    if language == "hip":
        text += f"__global__ void k(float* o, const float* p, int n) {{ int i = threadIdx.x; {body} }}"
    else:
        text += "void k(sycl::queue& q, float* o, const float* p, int n) {"
        text += f"q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> it) {{ int i = it[0]; {body} }}); }}"
    facts = facts_of(text, "hip" if language == "hip" else "sycl")
    machine = executed(facts.input_for(facts.compiler("gfx90a")))
    stores = [op for op in machine.graph.ops if op.kind is Kind.STORE]
    assert len(stores) == 8
    assert not machine.tally.unknowns
    assert facts.target("gfx90a").registers.estimate > 16


def test_a_lane_that_is_known_at_run_time_needs_no_memory() -> None:
    """clang 19.1.7: 11 VGPRs without scratch."""
    text = """typedef float F __attribute__((ext_vector_type(4)));
__global__ void k(float* o, const float* p, int n) { F v = {1, 2, 3, 4}; int i = threadIdx.x;
  for (int k = 0; k < n; ++k) v[k & 3] += p[i + k * n];
  for (int k = 0; k < 4; ++k) o[i + k * n] = v[k]; }"""
    found = facts_of(text, "hip").target("gfx90a").registers
    assert found.scratch_bytes == 0
    assert found.estimate == pytest.approx(11, abs=2)


def test_a_vector_of_sycl_is_loaded_and_stored_by_its_members() -> None:
    text = """void k(sycl::queue& q, float* o, const float* p, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> it) { int i = it[0];
    sycl::vec<float, 8> v; v.load(i, sycl::global_ptr<const float>(p));
    for (int r = 0; r < n; ++r) v = sycl::fma(v, v, v);
    v.store(i, sycl::global_ptr<float>(o)); }); }"""
    facts = facts_of(text, "sycl")
    ops = executed(facts.input_for(facts.compiler("sm_90"))).graph.ops
    assert sum(op.kind is Kind.LOAD for op in ops) == 8
    assert not facts.unknowns("sm_90")


@pytest.mark.parametrize("read", ["tex2D<float4>(t, x + i, y)", "surface"])
def test_a_write_of_a_surface_is_an_effect(read: str) -> None:
    """nvcc 13.0.88: 50 registers with 25 reads; nothing was left of a kernel that writes a surface and nothing else."""
    got = f"float4 v = {read};" if read != "surface" else "float4 v; surf2Dread(&v, d, x + i, y);"
    text = f"""__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t d) {{
  int x = threadIdx.x, y = threadIdx.y; float4 s = make_float4(0, 0, 0, 0);
  for (int i = 0; i < 8; ++i) {{ {got} s.x += v.x; s.y += v.y; s.z += v.z; s.w += v.w; }}
  surf2Dwrite(s, d, x * 16, y); }}"""
    facts = facts_of(text, "cuda")
    machine = executed(facts.input_for(facts.compiler("sm_90")))
    assert sum(op.kind is Kind.STORE for op in machine.graph.ops) == 1
    assert facts.target("sm_90").registers.estimate > 12


def test_a_write_of_an_image_is_an_effect() -> None:
    text = """__constant sampler_t q = 0;
__kernel void k(__read_only image2d_t a, __write_only image2d_t b) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)); float4 s = 0;
  for (int i = 0; i < 8; ++i) s += read_imagef(a, q, p + i);
  write_imagef(b, p, s); }"""
    facts = facts_of(text, "opencl")
    ops = executed(facts.input_for(facts.compiler("sm_90"))).graph.ops
    assert sum(op.kind is Kind.STORE for op in ops) == 1
    assert facts.target("sm_90").registers.estimate > 12


# Registers by nvcc 13.0.88 of sums over so many reads: each component of a texel has one of its own.
@pytest.mark.parametrize(("texel", "count", "registers"), [("float", 4, 17), ("float4", 4, 24), ("uchar4", 9, 32)])
def test_a_texel_has_as_many_lanes_as_the_read_says(texel: str, count: int, registers: int) -> None:
    term = "c" if texel == "float" else "c.x * c.y + c.z * c.w"
    text = f"""__global__ void k(float* o, cudaTextureObject_t t, int w) {{
      int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; float s = 0;
      for (int i = 0; i < {count}; ++i) {{ {texel} c = tex2D<{texel}>(t, x + i + .5f, y + .5f); s += {term}; }}
      o[y * w + x] = s; }}"""
    found = facts_of(text, "cuda").target("sm_90").registers
    assert found.low <= registers <= found.high
