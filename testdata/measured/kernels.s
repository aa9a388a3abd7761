	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 5
	.section	.text._ZN3lbm4stepIfLi64EEEvPT_PKS1_i,"axG",@progbits,_ZN3lbm4stepIfLi64EEEvPT_PKS1_i,comdat
	.protected	_ZN3lbm4stepIfLi64EEEvPT_PKS1_i ; -- Begin function _ZN3lbm4stepIfLi64EEEvPT_PKS1_i
	.globl	_ZN3lbm4stepIfLi64EEEvPT_PKS1_i
	.p2align	8
	.type	_ZN3lbm4stepIfLi64EEEvPT_PKS1_i,@function
_ZN3lbm4stepIfLi64EEEvPT_PKS1_i:        ; @_ZN3lbm4stepIfLi64EEEvPT_PKS1_i
.Lfunc_begin0:
	.file	0 "." "kernels.hip" md5 0x5c3953eb95492940800ac73c4808aa19
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "/usr/include/hip/amd_detail" "amd_hip_runtime.h" md5 0x16093af3b78d7538c31396a9fb8b635e
	.loc	1 268 12 prologue_end           ; /usr/include/hip/amd_detail/amd_hip_runtime.h:268:12
	.file	2 "/usr/include/hip/amd_detail" "amd_device_functions.h" md5 0x913bb197e0af7d58a97d587c496ee161
	.loc	2 890 9                         ; /usr/include/hip/amd_detail/amd_device_functions.h:890:9
; %bb.1:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel _ZN3lbm4stepIfLi64EEEvPT_PKS1_i
		.amdhsa_group_segment_fixed_size 256
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.section	.text._ZN3lbm4stepIfLi64EEEvPT_PKS1_i,"axG",@progbits,_ZN3lbm4stepIfLi64EEEvPT_PKS1_i,comdat
.Lfunc_end0:
	.size	_ZN3lbm4stepIfLi64EEEvPT_PKS1_i, .Lfunc_end0-_ZN3lbm4stepIfLi64EEEvPT_PKS1_i
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 176
; NumSgprs: 13
; NumVgprs: 8
; NumAgprs: 0
; TotalNumVgprs: 8
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 256 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 13
; NumVGPRsForWavesPerEU: 8
; AccumOffset: 8
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 1
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.section	.text._ZN3lbm4stepIdLi128EEEvPT_PKS1_i,"axG",@progbits,_ZN3lbm4stepIdLi128EEEvPT_PKS1_i,comdat
	.protected	_ZN3lbm4stepIdLi128EEEvPT_PKS1_i ; -- Begin function _ZN3lbm4stepIdLi128EEEvPT_PKS1_i
	.globl	_ZN3lbm4stepIdLi128EEEvPT_PKS1_i
	.p2align	8
	.type	_ZN3lbm4stepIdLi128EEEvPT_PKS1_i,@function
_ZN3lbm4stepIdLi128EEEvPT_PKS1_i:       ; @_ZN3lbm4stepIdLi128EEEvPT_PKS1_i
.Lfunc_begin1:
	.cfi_startproc
; %bb.0:
; %bb.1:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel _ZN3lbm4stepIdLi128EEEvPT_PKS1_i
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 9
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.section	.text._ZN3lbm4stepIdLi128EEEvPT_PKS1_i,"axG",@progbits,_ZN3lbm4stepIdLi128EEEvPT_PKS1_i,comdat
.Lfunc_end1:
	.size	_ZN3lbm4stepIdLi128EEEvPT_PKS1_i, .Lfunc_end1-_ZN3lbm4stepIdLi128EEEvPT_PKS1_i
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 188
; NumSgprs: 13
; NumVgprs: 10
; NumAgprs: 0
; TotalNumVgprs: 10
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 13
; NumVGPRsForWavesPerEU: 10
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2align	2                               ; -- Begin function _Z6helperf
	.type	_Z6helperf,@function
_Z6helperf:                             ; @_Z6helperf
.Lfunc_begin2:
	.loc	0 20 0                          ; kernels.hip:20:0
	.cfi_startproc
; %bb.0:
.Lfunc_end2:
	.size	_Z6helperf, .Lfunc_end2-_Z6helperf
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 24
; NumSgprs: 36
; NumVgprs: 1
; NumAgprs: 0
; TotalNumVgprs: 1
; ScratchSize: 0
; MemoryBound: 0
	.text
	.protected	_Z7indexedPfi           ; -- Begin function _Z7indexedPfi
	.globl	_Z7indexedPfi
	.p2align	8
	.type	_Z7indexedPfi,@function
_Z7indexedPfi:                          ; @_Z7indexedPfi
.Lfunc_begin3:
	.loc	0 22 0 is_stmt 1                ; kernels.hip:22:0
	.cfi_startproc
; %bb.0:
; %bb.1:
; %bb.2:
; %bb.4:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel _Z7indexedPfi
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 272
		.amdhsa_kernarg_size 12
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 1
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 5
		.amdhsa_next_free_sgpr 33
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end3:
	.size	_Z7indexedPfi, .Lfunc_end3-_Z7indexedPfi
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 348
; NumSgprs: 39
; NumVgprs: 5
; NumAgprs: 0
; TotalNumVgprs: 5
; ScratchSize: 272
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 4
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 39
; NumVGPRsForWavesPerEU: 5
; AccumOffset: 8
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 8
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 1
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.protected	_Z11accumulatesPf       ; -- Begin function _Z11accumulatesPf
	.globl	_Z11accumulatesPf
	.p2align	8
	.type	_Z11accumulatesPf,@function
_Z11accumulatesPf:                      ; @_Z11accumulatesPf
.Lfunc_begin4:
	.cfi_startproc
; %bb.0:
	;;#ASMSTART
	;;#ASMEND
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel _Z11accumulatesPf
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 14
		.amdhsa_next_free_sgpr 6
		.amdhsa_accum_offset 4
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end4:
	.size	_Z11accumulatesPf, .Lfunc_end4-_Z11accumulatesPf
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 40
; NumSgprs: 10
; NumVgprs: 1
; NumAgprs: 10
; TotalNumVgprs: 14
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 10
; NumVGPRsForWavesPerEU: 14
; AccumOffset: 4
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 0
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.protected	spills                  ; -- Begin function spills
	.globl	spills
	.p2align	8
	.type	spills,@function
spills:                                 ; @spills
.Lfunc_begin5:
	.loc	0 40 0                          ; kernels.hip:40:0
	.cfi_startproc
; %bb.0:
; %bb.1:
	buffer_store_dword v4, off, s[48:51], 0 offset:72 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:4 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 offset:16 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:20 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 offset:32 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:36 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 offset:48 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:52 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:40 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:44 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:8 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:12 ; 4-byte Folded Spill
	buffer_store_dword v30, off, s[48:51], 0 offset:56 ; 4-byte Folded Spill
	buffer_store_dword v31, off, s[48:51], 0 offset:60 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:24 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:28 ; 4-byte Folded Spill
	buffer_store_dword v20, off, s[48:51], 0 offset:64 ; 4-byte Folded Spill
	buffer_store_dword v21, off, s[48:51], 0 offset:68 ; 4-byte Folded Spill
	buffer_load_dword v20, off, s[48:51], 0 offset:40 ; 4-byte Folded Reload
	buffer_load_dword v21, off, s[48:51], 0 offset:44 ; 4-byte Folded Reload
	buffer_load_dword v0, off, s[48:51], 0  ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[48:51], 0 offset:4 ; 4-byte Folded Reload
	buffer_load_dword v30, off, s[48:51], 0 offset:16 ; 4-byte Folded Reload
	buffer_load_dword v31, off, s[48:51], 0 offset:20 ; 4-byte Folded Reload
	buffer_store_dword v0, off, s[48:51], 0 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:4 ; 4-byte Folded Spill
	buffer_load_dword v0, off, s[48:51], 0 offset:32 ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[48:51], 0 offset:36 ; 4-byte Folded Reload
	buffer_load_dword v8, off, s[48:51], 0 offset:48 ; 4-byte Folded Reload
	buffer_load_dword v9, off, s[48:51], 0 offset:52 ; 4-byte Folded Reload
	buffer_store_dword v0, off, s[48:51], 0 offset:32 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:36 ; 4-byte Folded Spill
	buffer_load_dword v22, off, s[48:51], 0 offset:8 ; 4-byte Folded Reload
	buffer_load_dword v23, off, s[48:51], 0 offset:12 ; 4-byte Folded Reload
	buffer_store_dword v8, off, s[48:51], 0 offset:48 ; 4-byte Folded Spill
	buffer_store_dword v9, off, s[48:51], 0 offset:52 ; 4-byte Folded Spill
	buffer_store_dword v20, off, s[48:51], 0 offset:40 ; 4-byte Folded Spill
	buffer_store_dword v21, off, s[48:51], 0 offset:44 ; 4-byte Folded Spill
	buffer_store_dword v30, off, s[48:51], 0 offset:16 ; 4-byte Folded Spill
	buffer_store_dword v31, off, s[48:51], 0 offset:20 ; 4-byte Folded Spill
	buffer_load_dword v30, off, s[48:51], 0 offset:56 ; 4-byte Folded Reload
	buffer_load_dword v31, off, s[48:51], 0 offset:60 ; 4-byte Folded Reload
	buffer_load_dword v2, off, s[48:51], 0 offset:64 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[48:51], 0 offset:68 ; 4-byte Folded Reload
	buffer_load_dword v2, off, s[48:51], 0 offset:24 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[48:51], 0 offset:28 ; 4-byte Folded Reload
	buffer_store_dword v22, off, s[48:51], 0 offset:8 ; 4-byte Folded Spill
	buffer_store_dword v23, off, s[48:51], 0 offset:12 ; 4-byte Folded Spill
; %bb.3:
	buffer_load_dword v4, off, s[48:51], 0 offset:72 ; 4-byte Folded Reload
	buffer_store_dword v8, off, s[48:51], 0 offset:64 ; 4-byte Folded Spill
	buffer_store_dword v9, off, s[48:51], 0 offset:68 ; 4-byte Folded Spill
	buffer_load_dword v8, off, s[48:51], 0 offset:48 ; 4-byte Folded Reload
	buffer_load_dword v9, off, s[48:51], 0 offset:52 ; 4-byte Folded Reload
	buffer_store_dword v0, off, s[48:51], 0 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:4 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 offset:16 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:20 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[48:51], 0 offset:32 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[48:51], 0 offset:36 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:64 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:68 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:40 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:44 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:8 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:12 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[48:51], 0 offset:24 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[48:51], 0 offset:28 ; 4-byte Folded Spill
	buffer_store_dword v6, off, s[48:51], 0 offset:48 ; 4-byte Folded Spill
	buffer_store_dword v7, off, s[48:51], 0 offset:52 ; 4-byte Folded Spill
	buffer_store_dword v24, off, s[48:51], 0 offset:56 ; 4-byte Folded Spill
	buffer_store_dword v25, off, s[48:51], 0 offset:60 ; 4-byte Folded Spill
	buffer_load_dword v12, off, s[48:51], 0 offset:16 ; 4-byte Folded Reload
	buffer_load_dword v13, off, s[48:51], 0 offset:20 ; 4-byte Folded Reload
	buffer_load_dword v0, off, s[48:51], 0 offset:64 ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[48:51], 0 offset:68 ; 4-byte Folded Reload
	buffer_load_dword v0, off, s[48:51], 0 offset:8 ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[48:51], 0 offset:12 ; 4-byte Folded Reload
	buffer_load_dword v12, off, s[48:51], 0 offset:24 ; 4-byte Folded Reload
	buffer_load_dword v13, off, s[48:51], 0 offset:28 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[48:51], 0  ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[48:51], 0 offset:4 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[48:51], 0 offset:32 ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[48:51], 0 offset:36 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[48:51], 0 offset:40 ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[48:51], 0 offset:44 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[48:51], 0 offset:56 ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[48:51], 0 offset:60 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[48:51], 0 offset:48 ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[48:51], 0 offset:52 ; 4-byte Folded Reload
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel spills
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 80
		.amdhsa_kernarg_size 12
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 52
		.amdhsa_accum_offset 32
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end5:
	.size	spills, .Lfunc_end5-spills
	.cfi_endproc
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3384
; NumSgprs: 56
; NumVgprs: 32
; NumAgprs: 0
; TotalNumVgprs: 32
; ScratchSize: 80
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 6
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 56
; NumVGPRsForWavesPerEU: 32
; AccumOffset: 32
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 7
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_2791518f603f7530,@object ; @__hip_cuid_2791518f603f7530
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_2791518f603f7530
__hip_cuid_2791518f603f7530:
	.byte	0                               ; 0x0
	.size	__hip_cuid_2791518f603f7530, 1

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.ident	"Debian clang version 15.0.5"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_2791518f603f7530
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 256
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 1024
    .name:           _ZN3lbm4stepIfLi64EEEvPT_PKS1_i
    .private_segment_fixed_size: 0
    .sgpr_count:     13
    .sgpr_spill_count: 0
    .symbol:         _ZN3lbm4stepIfLi64EEEvPT_PKS1_i.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     8
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 1024
    .name:           _ZN3lbm4stepIdLi128EEEvPT_PKS1_i
    .private_segment_fixed_size: 0
    .sgpr_count:     13
    .sgpr_spill_count: 0
    .symbol:         _ZN3lbm4stepIdLi128EEEvPT_PKS1_i.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     10
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 12
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 1024
    .name:           _Z7indexedPfi
    .private_segment_fixed_size: 272
    .sgpr_count:     39
    .sgpr_spill_count: 0
    .symbol:         _Z7indexedPfi.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     5
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     10
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 1024
    .name:           _Z11accumulatesPf
    .private_segment_fixed_size: 0
    .sgpr_count:     10
    .sgpr_spill_count: 0
    .symbol:         _Z11accumulatesPf.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     14
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 12
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 1024
    .name:           spills
    .private_segment_fixed_size: 80
    .sgpr_count:     56
    .sgpr_spill_count: 0
    .symbol:         spills.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     32
    .vgpr_spill_count: 53
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
	.section	.debug_line,"",@progbits
.Lline_table_start0:
