"""Made of data/intel.toml by `python -m tools.generators.target_tables`."""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TABLE: dict[str, Any] = {
    'sources': {
        'wave_sizes': 'intel/compute-runtime getDeviceSubGroupSizes; GPU Occupancy Calculator',
        'default_wave_size': 'intel/intel-graphics-compiler: SIMD32 is compiled first, narrower ones when it spills',
        'simds': 'Intel GPU Occupancy Calculator (oneAPI-samples), EUs per subslice',
        'max_waves_per_simd': 'Intel GPU Occupancy Calculator, threads per EU',
        'grf': 'compute-runtime hw_cmds_generated_*.inl (GRF bytes), gfx_core_helper_base.inl calculateAvailableThreadCount (threads at 256 GRF)',
        'max_threads_per_group': 'Intel GPU Occupancy Calculator, Max_Work_Group_Size',
        'slm_kib_per_core': 'Intel GPU Occupancy Calculator, SLM_Size_Per_SS',
        'slm_kib_per_group': 'Intel GPU Occupancy Calculator, SLM_Size_Per_Work_Group',
        'slm_sizes_kib': 'Intel GPU Occupancy Calculator, TG_SLM_Sizes; compute-runtime alignSlmSizePerThreadGroup',
        'max_groups_per_unit': 'Intel GPU Occupancy Calculator, Max_Num_Of_Workgroups',
        'barrier_slots': 'Intel GPU Occupancy Calculator, Max_Num_Of_Barrier_Registers',
        'runtime_barrier_slots': 'compute-runtime kernel_helpers.cpp getMaxWorkGroupCount',
        'fast_fp64': 'Intel Xe GPU architecture guide: as fast as FP32 on PVC; graphics have 1/8 to none',
    },
    'check': [{'by': "the Intel GPU Occupancy Calculator's function, run", 'fields': ['wave_sizes', 'simds', 'max_waves_per_simd', 'max_threads_per_group', 'slm_kib_per_core', 'slm_kib_per_group', 'slm_sizes_kib', 'max_groups_per_unit', 'barrier_slots'], 'except': {'xe3': ['*']}}, {'by': "the Intel GPU Occupancy Calculator's function, run; bytes of a register: the driver's source alone", 'fields': ['grf'], 'except': {'dg2': ['grf'], 'xe2': ['grf'], 'xe3': ['*']}}],
    'family': {
        'all': {'default_wave_size': 32, 'runtime_barrier_slots': 32},
    },
    'arch': {
        'gen9': {'title': 'Gen9, Skylake to Comet Lake', 'wave_sizes': [8, 16, 32], 'simds': 8, 'max_waves_per_simd': 7, 'grf': [{'registers': 128, 'bytes': 32, 'waves_per_simd': 7}], 'max_threads_per_group': 256, 'slm_kib_per_core': 64, 'slm_kib_per_group': 64, 'slm_sizes_kib': [1, 2, 4, 8, 16, 32, 64], 'max_groups_per_unit': 56, 'barrier_slots': 32},
        'gen11': {'title': 'Gen11, Ice Lake', 'wave_sizes': [8, 16, 32], 'simds': 8, 'max_waves_per_simd': 7, 'grf': [{'registers': 128, 'bytes': 32, 'waves_per_simd': 7}], 'max_threads_per_group': 256, 'slm_kib_per_core': 64, 'slm_kib_per_group': 64, 'slm_sizes_kib': [1, 2, 4, 8, 16, 32, 64], 'max_groups_per_unit': 56, 'barrier_slots': 32},
        'gen12lp': {'title': 'Gen12LP (Xe-LP), Tiger Lake to Raptor Lake, DG1', 'wave_sizes': [8, 16, 32], 'simds': 16, 'max_waves_per_simd': 7, 'grf': [{'registers': 128, 'bytes': 32, 'waves_per_simd': 7}], 'max_threads_per_group': 512, 'slm_kib_per_core': 64, 'slm_kib_per_group': 64, 'slm_sizes_kib': [1, 2, 4, 8, 16, 32, 64], 'max_groups_per_unit': 112, 'barrier_slots': 64},
        'dg2': {'title': 'Xe-HPG, Arc A-series, Data Center GPU Flex; Xe-LPG, Meteor Lake, Arrow Lake', 'wave_sizes': [8, 16, 32], 'simds': 16, 'max_waves_per_simd': 8, 'grf': [{'registers': 128, 'bytes': 32, 'waves_per_simd': 8}, {'registers': 256, 'bytes': 32, 'waves_per_simd': 4}], 'max_threads_per_group': 1024, 'slm_kib_per_core': 128, 'slm_kib_per_group': 64, 'slm_sizes_kib': [1, 2, 4, 8, 16, 32, 64], 'max_groups_per_unit': 128, 'barrier_slots': 128},
        'pvc': {'title': 'Xe-HPC, Data Center GPU Max 1100, 1550 (Ponte Vecchio)', 'fast_fp64': True, 'wave_sizes': [16, 32], 'simds': 8, 'max_waves_per_simd': 8, 'grf': [{'registers': 128, 'bytes': 64, 'waves_per_simd': 8}, {'registers': 256, 'bytes': 64, 'waves_per_simd': 4}], 'max_threads_per_group': 1024, 'slm_kib_per_core': 128, 'slm_kib_per_group': 128, 'slm_sizes_kib': [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128], 'max_groups_per_unit': 64, 'barrier_slots': 64},
        'xe2': {'title': 'Xe2, Lunar Lake, Arc B-series (Battlemage)', 'wave_sizes': [16, 32], 'simds': 8, 'max_waves_per_simd': 8, 'grf': [{'registers': 128, 'bytes': 64, 'waves_per_simd': 8}, {'registers': 256, 'bytes': 64, 'waves_per_simd': 4}], 'max_threads_per_group': 1024, 'slm_kib_per_core': 128, 'slm_kib_per_group': 128, 'slm_sizes_kib': [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128], 'max_groups_per_unit': 64, 'barrier_slots': 64},
        'xe3': {'title': 'Xe3, Panther Lake', 'wave_sizes': [16, 32], 'simds': 8, 'max_waves_per_simd': 10, 'grf': [{'registers': 96, 'bytes': 64, 'waves_per_simd': 10}, {'registers': 128, 'bytes': 64, 'waves_per_simd': 8}, {'registers': 160, 'bytes': 64, 'waves_per_simd': 6}, {'registers': 192, 'bytes': 64, 'waves_per_simd': 5}, {'registers': 256, 'bytes': 64, 'waves_per_simd': 4}], 'max_threads_per_group': 1024, 'slm_kib_per_core': 128, 'slm_kib_per_group': 128, 'slm_sizes_kib': [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128], 'max_groups_per_unit': 64, 'barrier_slots': 64},
    },
    'aliases': {
        'gen9': ['skl', 'kbl', 'cfl', 'gen9.5', 'whl', 'aml', 'cml', 'apl', 'bxt', 'glk', 'uhd620', 'uhd630'],
        'gen11': ['icl', 'icllp', 'ehl', 'jsl', 'lkf'],
        'gen12lp': ['gen12', 'xe_lp', 'tgl', 'tgllp', 'adl', 'rpl', 'dg1', 'xe_dg1', 'rkl', 'adls', 'adlp', 'adln', 'rpls', 'rplp', 'irisxe', 'irisxemax', 'uhd770', 'uhd750'],
        'dg2': ['arc', 'arca770', 'a770', 'acm', 'atsm', 'atsm150', 'atsm75', 'flex170', 'xe_hpg', 'xe_lpg', 'mtl', 'arl', 'xe_hp_ats', 'xe_hpg_dg2_arc', 'dg2g10', 'dg2g11', 'dg2g12', 'acmg10', 'acmg11', 'acmg12', 'arca750', 'a750', 'arca580', 'a580', 'arca380', 'a380', 'alchemist', 'flex140', 'flex', 'mtlu', 'mtls', 'mtlh', 'arlu', 'arls', 'arlh', 'meteorlake', 'arrowlake'],
        'pvc': ['xe_hpc', 'xe_hpc_pvc', 'max', 'max1100', 'max1550', 'pontevecchio', 'pvcvg', 'pvcsdv'],
        'xe3': ['ptl', 'pantherlake', 'ptlh', 'ptlu', 'xe3_lpg'],
        'xe2': ['xe2_hpg', 'xe2_lpg', 'bmg', 'lnl', 'b580', 'arcb580', 'battlemage', 'lunarlake', 'bmgg21', 'bmgg31', 'lnlm', 'arcb', 'arcb570', 'b570', 'arc140v', '140v', 'arc130v', 'b50', 'b60', 'arcprob50', 'arcprob60'],
    },
}
