"""Made of data/nvidia.toml by `python -m tools.generators.target_tables`."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLE: dict[str, Any] = {
    'sources': {
        'wave_sizes': 'CUDA C++ Programming Guide 13, technical specifications per compute capability',
        'simds': 'cuda_occupancy.h (CUDA 13.0) cudaOccSubPartitionsPerMultiprocessor',
        'max_waves_per_sm': 'CUDA C++ Programming Guide 13, maximum resident warps; CCCL arch_traits.h',
        'max_groups_per_unit': 'cuda_occupancy.h cudaOccMaxBlocksPerMultiprocessor',
        'regs_per_simd': 'CUDA C++ Programming Guide 13: 64 Ki registers per SM, over its sub-partitions',
        'reg_granule': 'cuda_occupancy.h cudaOccRegAllocationGranularity: 256 registers a warp',
        'max_regs_per_thread': 'CUDA C++ Programming Guide 13: 255',
        'launch_max_regs': 'cuda_occupancy.h cudaOccRegAllocationMaxPerThread: the calculator accepts 256 from Volta on',
        'launch_check_simds': "cuda_occupancy.h: the launch check rounds a block's warps to 4 partitions (CC 6.0 is checked as 6.1 too)",
        'smem_kib_per_sm': 'CUDA C++ Programming Guide 13; CCCL arch_traits.h',
        'smem_kib_opt_in': 'CUDA C++ Programming Guide 13; CCCL arch_traits.h',
        'smem_kib_reserved': 'CUDA C++ Programming Guide 13: 1 KiB of each block from CC 8.0 on',
        'smem_kib_static': 'CUDA C++ Programming Guide 13: 48 KiB without opting in',
        'lds_granule': 'cuda_occupancy.h cudaOccSMemAllocationGranularity',
        'carveouts_kib': 'cuda_occupancy.h cudaOccAlignUpShmemSizeVoltaPlus',
        'barrier_slots': 'cuda_occupancy.h cudaOccMaxBlocksPerSMBlockBarrierLimit',
        'counts_barriers': 'cuda_occupancy.h: barriers limit from CC 9.0 on',
        'max_threads_per_group': 'CUDA C++ Programming Guide 13: 1024',
        'regs_per_group': 'CUDA C++ Programming Guide 13: 64 Ki registers per block',
        'fast_fp64': "CUDA C++ Programming Guide 13, throughput of arithmetic instructions: half of FP32's; others have 1/32 or 1/64",
    },
    'check': [{'by': 'cuda_occupancy.h (CUDA 13.0), run', 'fields': ['simds', 'max_groups_per_unit', 'reg_granule', 'launch_max_regs', 'launch_check_simds', 'lds_granule', 'carveouts_kib', 'barrier_slots', 'counts_barriers']}, {'by': 'CCCL arch_traits.h against the CUDA C++ Programming Guide', 'only': ['sm_60', 'sm_61', 'sm_70', 'sm_75', 'sm_80', 'sm_86', 'sm_87', 'sm_89', 'sm_90', 'sm_100', 'sm_103', 'sm_110', 'sm_120', 'sm_121'], 'fields': ['wave_sizes', 'max_waves_per_sm', 'regs_per_simd', 'regs_per_group', 'max_regs_per_thread', 'max_threads_per_group', 'smem_kib_per_sm', 'smem_kib_opt_in', 'smem_kib_reserved', 'smem_kib_static']}, {'by': 'an H200: its device properties, its run-time API, and blocks counted while they were resident', 'only': ['sm_90'], 'fields': ['max_waves_per_sm', 'max_groups_per_unit', 'regs_per_simd', 'regs_per_group', 'reg_granule', 'launch_check_simds', 'smem_kib_per_sm', 'smem_kib_opt_in', 'smem_kib_reserved', 'smem_kib_static', 'lds_granule', 'carveouts_kib', 'max_threads_per_group']}],
    'family': {
        'all': {'wave_sizes': [32], 'reg_granule': {'32': 256}, 'regs_per_group': 65536, 'max_regs_per_thread': 255, 'launch_max_regs': 256, 'launch_check_simds': 4, 'smem_kib_static': 48},
    },
    'arch': {
        'sm_60': {'title': 'Pascal, Tesla P100', 'fast_fp64': True, 'simds': 2, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 32768}, 'launch_max_regs': 255, 'smem_kib_per_sm': 64, 'smem_kib_opt_in': 48, 'smem_kib_reserved': 0, 'lds_granule': 256},
        'sm_61': {'title': 'Pascal, GeForce GTX 10, Tesla P4 and P40', 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'launch_max_regs': 255, 'smem_kib_per_sm': 96, 'smem_kib_opt_in': 48, 'smem_kib_reserved': 0, 'lds_granule': 256},
        'sm_70': {'title': 'Volta, V100', 'fast_fp64': True, 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 96, 'smem_kib_opt_in': 96, 'smem_kib_reserved': 0, 'lds_granule': 256, 'carveouts_kib': [0, 8, 16, 32, 64, 96], 'barrier_slots': 64},
        'sm_75': {'title': 'Turing, T4, GeForce RTX 20', 'simds': 4, 'max_waves_per_sm': 32, 'max_groups_per_unit': 16, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 64, 'smem_kib_opt_in': 64, 'smem_kib_reserved': 0, 'lds_granule': 256, 'carveouts_kib': [32, 64], 'barrier_slots': 32},
        'sm_80': {'title': 'Ampere, A100, A30', 'fast_fp64': True, 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 164, 'smem_kib_opt_in': 163, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164], 'barrier_slots': 64},
        'sm_86': {'title': 'Ampere, GeForce RTX 30, A10, A40', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 16, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 100, 'smem_kib_opt_in': 99, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100], 'barrier_slots': 16},
        'sm_87': {'title': 'Ampere, Jetson Orin', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 16, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 164, 'smem_kib_opt_in': 163, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164], 'barrier_slots': 16},
        'sm_88': {'title': 'Ampere, compute capability 8.8', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 16, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 100, 'smem_kib_opt_in': 99, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100], 'barrier_slots': 16},
        'sm_89': {'title': 'Ada, GeForce RTX 40, L4, L40', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 24, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 100, 'smem_kib_opt_in': 99, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100], 'barrier_slots': 24},
        'sm_90': {'title': 'Hopper, H100, H200, GH200', 'fast_fp64': True, 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 228, 'smem_kib_opt_in': 227, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164, 196, 228], 'barrier_slots': 64, 'counts_barriers': True},
        'sm_100': {'title': 'Blackwell, B100, B200, GB200', 'fast_fp64': True, 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 228, 'smem_kib_opt_in': 227, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164, 196, 228], 'barrier_slots': 64, 'counts_barriers': True},
        'sm_103': {'title': 'Blackwell, B300, GB300', 'simds': 4, 'max_waves_per_sm': 64, 'max_groups_per_unit': 32, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 228, 'smem_kib_opt_in': 227, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164, 196, 228], 'barrier_slots': 64, 'counts_barriers': True},
        'sm_110': {'title': 'Blackwell, Jetson Thor', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 24, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 228, 'smem_kib_opt_in': 227, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100, 132, 164, 196, 228], 'barrier_slots': 24, 'counts_barriers': True},
        'sm_120': {'title': 'Blackwell, GeForce RTX 50', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 24, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 100, 'smem_kib_opt_in': 99, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100], 'barrier_slots': 24, 'counts_barriers': True},
        'sm_121': {'title': 'Blackwell, GB10, DGX Spark', 'simds': 4, 'max_waves_per_sm': 48, 'max_groups_per_unit': 24, 'regs_per_simd': {'32': 16384}, 'smem_kib_per_sm': 100, 'smem_kib_opt_in': 99, 'smem_kib_reserved': 1, 'lds_granule': 128, 'carveouts_kib': [0, 8, 16, 32, 64, 100], 'barrier_slots': 24, 'counts_barriers': True},
    },
    'aliases': {
        'sm_60': ['p100', 'gp100', 'pascal'],
        'sm_61': ['p4', 'p40', 'gtx1080', 'gtx1080ti', 'gp102', 'gtx1050', 'gtx1060', 'gtx1070', 'titanxp', 'p1000', 'p2000', 'p4000', '1080', '1080ti'],
        'sm_70': ['volta', 'v100', 'titanv', 'gv100'],
        'sm_75': ['turing', 't4', 'rtx2080', 'rtx2080ti', 'tu102', 'gtx1650', 'gtx1660', 'rtx2060', 'rtx2070', 'titanrtx', 'quadrortx4000', 'quadrortx5000', 'quadrortx6000', 'quadrortx8000', '2080', '2080ti'],
        'sm_80': ['a100', 'a30', 'ampere', 'ga100', 'a800'],
        'sm_86': ['a10', 'a40', 'a6000', 'rtx3080', 'rtx3090', 'ga102', 'a2', 'a16', 'rtxa2000', 'rtxa4000', 'rtxa4500', 'rtxa5000', 'rtxa5500', 'rtxa6000', 'rtx3050', 'rtx3060', 'rtx3070', '3080', '3090'],
        'sm_87': ['orin', 'jetsonorin'],
        'sm_89': ['ada', 'l4', 'l40', 'l40s', 'rtx4080', 'rtx4090', 'lovelace', 'ad102', 'l20', 'l2', 'rtx4050', 'rtx4060', 'rtx4070', 'rtx6000ada', 'rtx5000ada', 'rtx4000ada', 'rtx4500ada', 'rtx2000ada', '4080', '4090'],
        'sm_90': ['hopper', 'h100', 'h200', 'gh200', 'gh100', 'h20', 'h800'],
        'sm_100': ['b100', 'b200', 'gb200', 'blackwell', 'gb100'],
        'sm_103': ['b300', 'gb300'],
        'sm_110': ['thor', 'jetsonthor', 'sm_101'],
        'sm_120': ['rtx5080', 'rtx5090', 'gb202', 'rtx5050', 'rtx5060', 'rtx5070', 'rtxpro6000', 'rtxpro6000blackwell', '5080', '5090'],
        'sm_121': ['gb10', 'dgxspark', 'spark'],
    },
}
