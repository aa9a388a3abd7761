"""Made of data/instructions.toml by `python -m tools.generators.target_tables`."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLE: dict[str, Any] = {
    'sources': {
        'ptx': 'PTX ISA 9.0, Target ISA Notes of each instruction; ptxas 13.0 asked by tools/measure/instruction_targets.py',
        'amd': 'LLVM BuiltinsAMDGPU.def, required features; clang 19 asked by tools/measure/instruction_targets.py',
        'names': 'CUDA C++ Programming Guide 13, compute capabilities',
    },
    'ptx': {
        'rows': [{'is': 'wgmma\\.', 'only': ['sm_90'], 'example': 'wgmma.fence.sync.aligned;'}, {'is': 'tcgen05\\.', 'only': ['sm_100', 'sm_103', 'sm_110'], 'example': 'tcgen05.fence::before_thread_sync;'}, {'is': 'setmaxnreg\\.', 'since': 90, 'example': 'setmaxnreg.inc.sync.aligned.u32 64;'}, {'is': 'tensormap\\.replace', 'since': 90}, {'is': 'mma\\.(?:sp\\S*\\.)?sync\\S*\\.kind::', 'only': ['sm_120', 'sm_121']}, {'is': 'mma\\.(?:sp\\S*\\.)?sync\\S*\\.(?:e4m3|e5m2)\\b', 'since': 89}, {'is': 'mma\\.sp', 'since': 80}, {'is': 'mma\\.sync\\S*\\.(?:bf16|tf32|f64)\\b', 'since': 80}, {'is': 'mma\\.sync\\S*\\.m(?:16n8k16|16n8k32|16n8k64|16n8k128|16n8k256|8n8k128)\\b', 'since': 80, 'example': '{.reg .b32 r; .reg .f32 f; mov.b32 r, 0; mov.f32 f, 0f00000000; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {f,f,f,f}, {r,r,r,r}, {r,r}, {f,f,f,f};}'}, {'is': 'mma\\.sync\\S*\\.m(?:16n8k8|8n8k16|8n8k32)\\b', 'since': 75, 'example': '{.reg .b32 r; mov.b32 r, 0; mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {r,r}, {r,r}, {r}, {r,r};}'}, {'is': 'w?mma\\.', 'since': 70}, {'is': 'ldmatrix\\S*\\.(?:m16n16|m8n16)\\b', 'since': 100}, {'is': 'ldmatrix\\.', 'since': 75}, {'is': 'movmatrix\\.', 'since': 75}, {'is': 'stmatrix\\.', 'since': 90, 'example': '{.reg .b32 r; mov.b32 r, 0; stmatrix.sync.aligned.m8n8.x1.shared.b16 [r], {r};}'}, {'is': 'cp\\.(?:reduce\\.)?async\\.bulk', 'since': 90, 'example': 'cp.async.bulk.commit_group;'}, {'is': 'cp\\.async', 'since': 80, 'example': 'cp.async.commit_group;'}, {'is': 'mbarrier\\.(?:try_wait|expect_tx|complete_tx)', 'since': 90}, {'is': 'mbarrier\\.\\S*(?:expect_tx|cluster)', 'since': 90}, {'is': 'mbarrier\\.', 'since': 80, 'example': '{.reg .b32 r; mov.b32 r, 0; mbarrier.inval.shared.b64 [r];}'}, {'is': 'fence\\.(?:proxy\\.(?:async|tensormap)|mbarrier_init)', 'since': 90, 'example': 'fence.proxy.async;'}, {'is': '(?:barrier\\.cluster|mapa|getctarank|multimem|griddepcontrol|elect\\.sync|st\\.async|red\\.async|prefetch\\.tensormap)\\b', 'since': 90, 'example': 'griddepcontrol.wait;'}, {'is': '(?:ld|st|atom|red|mov)\\S*shared::cluster', 'since': 90}, {'is': '(?:clusterlaunchcontrol|st\\.bulk)', 'since': 100}, {'is': '(?:add|mul|fma)\\S*\\.f32x2\\b', 'since': 100, 'example': '{.reg .b64 r; mov.b64 r, 0; add.rn.f32x2 r, r, r;}'}, {'is': 'redux\\.sync\\S*\\.f32', 'only': ['sm_100', 'sm_103', 'sm_110']}, {'is': 'redux\\.sync', 'since': 80, 'example': '{.reg .b32 r; mov.b32 r, 0; redux.sync.add.s32 r, r, 0xffffffff;}'}, {'is': 'cvt\\S*\\.(?:e2m1|e2m3|e3m2|ue8m0)', 'since': 100}, {'is': 'cvt\\S*\\.(?:e4m3|e5m2)', 'since': 89, 'example': '{.reg .b16 h; .reg .f32 f; mov.f32 f, 0f00000000; cvt.rn.satfinite.e4m3x2.f32 h, f, f;}'}, {'is': 'cvt\\S*\\.(?:bf16x2|tf32)\\b', 'since': 80}, {'is': '(?:createpolicy|applypriority|discard)\\.', 'since': 80}, {'is': '(?:tanh\\.approx|ex2\\.approx\\S*\\.f16)', 'since': 75}, {'is': 'nanosleep\\.', 'since': 70}],
    },
    'amd': {
        'rows': [{'is': 'mfma_scale_', 'only': ['gfx950']}, {'is': 's?mfmac?_\\w*_(?:fp8|bf8)', 'only': ['gfx94', 'gfx950'], 'example': '__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8((long)0, (long)0, (f4)(0.0f), 0, 0, 0)'}, {'is': 'smfmac_', 'only': ['gfx94', 'gfx950']}, {'is': 'mfma_\\w*_xf32', 'only': ['gfx94']}, {'is': 'mfma_f64|mfma_\\w*bf16_1k', 'only': ['gfx90a', 'gfx94', 'gfx950'], 'example': '__builtin_amdgcn_mfma_f64_4x4x4f64(0.0, 0.0, 0.0, 0, 0, 0)'}, {'is': 'mfma_i32_(?:16x16x32|32x32x16)_?i8', 'only': ['gfx94', 'gfx950']}, {'is': 'mfma_', 'only': ['gfx908', 'gfx90a', 'gfx94', 'gfx950'], 'example': '__builtin_amdgcn_mfma_f32_4x4x1f32(1.0f, 1.0f, (f4)(0.0f), 0, 0, 0)'}, {'is': 's?wmmac?_\\w*_gfx12', 'only': ['gfx12']}, {'is': 'wmma_', 'only': ['gfx11']}, {'is': 'permlane(?:16|32)_swap', 'only': ['gfx950']}, {'is': 'permlane64', 'only': ['gfx11', 'gfx12'], 'example': '__builtin_amdgcn_permlane64(0)'}, {'is': 'permlanex?16', 'only': ['gfx10', 'gfx11', 'gfx12'], 'example': '__builtin_amdgcn_permlane16(0, 0, 0, 0, false, false)'}, {'is': 'mov_dpp8', 'only': ['gfx10', 'gfx11', 'gfx12'], 'example': '__builtin_amdgcn_mov_dpp8(0, 0)'}],
    },
    'names': {
        'rows': [{'is': '__builtin_amdgcn_\\w+', 'vendor': 'amd'}, {'is': '__builtin_(?:r600|amdgcn)_\\w+', 'vendor': 'amd'}, {'is': 'rocwmma::\\w+', 'vendor': 'amd'}, {'is': '__nvvm_\\w+', 'vendor': 'nvidia'}, {'is': '__reduce_(?:add|min|max|and|or|xor)_sync', 'vendor': 'nvidia', 'since': 80}, {'is': '__nanosleep', 'vendor': 'nvidia', 'since': 70}, {'is': '(?:\\w+::)?this_cluster|__cluster_dims__|cluster_group', 'vendor': 'nvidia', 'since': 90}, {'is': '(?:const\\s+)?CUtensorMap', 'vendor': 'nvidia', 'since': 90}, {'is': 'nvcuda::wmma', 'vendor': 'nvidia', 'since': 70}, {'is': '(?:cute|cutlass|nvcuda)::\\w+', 'vendor': 'nvidia'}, {'is': '__pipeline_(?:memcpy_async|commit|wait_prior)|cuda::(?:memcpy_async|pipeline|barrier|ptx)\\b', 'vendor': 'nvidia'}],
    },
    'headers': {
        'rows': [{'is': '(?:cute|cutlass)/.*', 'vendor': 'nvidia'}, {'is': 'mma\\.h', 'vendor': 'nvidia', 'since': 70}, {'is': 'cuda/(?:barrier|pipeline|ptx|annotated_ptr)|cuda_pipeline(?:_primitives|_helpers)?\\.h|cooperative_groups/memcpy_async\\.h', 'vendor': 'nvidia'}, {'is': 'optix\\w*\\.h|nvshmemx?\\.h', 'vendor': 'nvidia'}, {'is': '(?:cublas|cufft|curand|cusolver|nvcomp)dx\\.hpp', 'vendor': 'nvidia'}, {'is': '(?:rocwmma|ck|ck_tile)/.*', 'vendor': 'amd'}],
    },
}
