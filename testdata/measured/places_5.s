	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.protected	_Z4overPfi              ; -- Begin function _Z4overPfi
	.globl	_Z4overPfi
	.p2align	8
	.type	_Z4overPfi,@function
_Z4overPfi:                             ; @_Z4overPfi
.Lfunc_begin0:
	.file	0 "." "places.hip" md5 0x5b593483fef366d295d236b95e10a872
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.0:
	.file	1 "." "places.h" md5 0x6dce20a61c831f571c878e7aab18ce02
	.loc	1 9 10 prologue_end             ; ./places.h:9:10
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	s_load_dword s2, s[4:5], 0x8
	.loc	1 9 19 is_stmt 0                ; ./places.h:9:19
	v_mov_b32_e32 v0, 0x40400000
	.loc	1 9 10                          ; ./places.h:9:10
	s_waitcnt lgkmcnt(0)
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	s_ashr_i32 s3, s2, 31
.Ltmp0:
	;DEBUG_VALUE: scaled<float>:p <- undef
	;DEBUG_VALUE: over:x <- undef
	;DEBUG_VALUE: over:n <- undef
	.loc	0 8 3 is_stmt 1                 ; places.hip:8:3
	s_lshl_b64 s[2:3], s[2:3], 2
	s_add_u32 s0, s0, s2
	s_addc_u32 s1, s1, s3
.Ltmp1:
	.loc	1 9 10                          ; ./places.h:9:10
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s5
	.loc	1 9 19 is_stmt 0                ; ./places.h:9:19
	v_fma_f32 v0, s4, v0, v1
.Ltmp2:
	.loc	0 8 3 is_stmt 1                 ; places.hip:8:3
	v_mov_b32_e32 v1, 0
	.loc	0 8 8 is_stmt 0                 ; places.hip:8:8
	global_store_dword v1, v0, s[0:1]
	.loc	0 9 1 is_stmt 1                 ; places.hip:9:1
	s_endpgm
.Ltmp3:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	_Z4overPfi, .Lfunc_end0-_Z4overPfi
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 84
; NumSgprs: 10
; NumVgprs: 2
; NumAgprs: 0
; TotalNumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 10
; NumVGPRsForWavesPerEU: 2
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
	.protected	_Z4overPdi              ; -- Begin function _Z4overPdi
	.globl	_Z4overPdi
	.p2align	8
	.type	_Z4overPdi,@function
_Z4overPdi:                             ; @_Z4overPdi
.Lfunc_begin1:
	.cfi_startproc
; %bb.0:
	.loc	1 9 10 prologue_end             ; ./places.h:9:10
	s_load_dwordx2 s[6:7], s[4:5], 0x0
	s_load_dword s8, s[4:5], 0x8
	.loc	1 9 19 is_stmt 0                ; ./places.h:9:19
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0x40080000
	.loc	1 9 10                          ; ./places.h:9:10
	s_waitcnt lgkmcnt(0)
	s_load_dwordx4 s[0:3], s[6:7], 0x0
	s_ashr_i32 s9, s8, 31
.Ltmp4:
	;DEBUG_VALUE: scaled<double>:p <- undef
	;DEBUG_VALUE: over:x <- undef
	;DEBUG_VALUE: over:n <- undef
	.loc	0 11 42 is_stmt 1               ; places.hip:11:42
	s_lshl_b64 s[4:5], s[8:9], 3
	s_add_u32 s4, s6, s4
	s_addc_u32 s5, s7, s5
.Ltmp5:
	.loc	1 9 10                          ; ./places.h:9:10
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s2
	v_mov_b32_e32 v3, s3
	.loc	1 9 19 is_stmt 0                ; ./places.h:9:19
	v_fmac_f64_e32 v[2:3], s[0:1], v[0:1]
.Ltmp6:
	.loc	0 11 42 is_stmt 1               ; places.hip:11:42
	v_mov_b32_e32 v0, 0
	.loc	0 11 47 is_stmt 0               ; places.hip:11:47
	global_store_dwordx2 v0, v[2:3], s[4:5]
	.loc	0 11 60                         ; places.hip:11:60
	s_endpgm
.Ltmp7:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.size	_Z4overPdi, .Lfunc_end1-_Z4overPdi
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 88
; NumSgprs: 14
; NumVgprs: 4
; NumAgprs: 0
; TotalNumVgprs: 4
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 14
; NumVGPRsForWavesPerEU: 4
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
	.protected	_Z5emptyv               ; -- Begin function _Z5emptyv
	.globl	_Z5emptyv
	.p2align	8
	.type	_Z5emptyv,@function
_Z5emptyv:                              ; @_Z5emptyv
.Lfunc_begin2:
	.cfi_startproc
; %bb.0:
	.loc	0 13 26 prologue_end is_stmt 1  ; places.hip:13:26
	s_endpgm
.Ltmp8:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.text
.Lfunc_end2:
	.size	_Z5emptyv, .Lfunc_end2-_Z5emptyv
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 4
; NumSgprs: 4
; NumVgprs: 0
; NumAgprs: 0
; TotalNumVgprs: 0
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 4
; NumVGPRsForWavesPerEU: 1
; AccumOffset: 4
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 4
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 0
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.section	.text._Z5applyI5TwiceEvT_Pf,"axG",@progbits,_Z5applyI5TwiceEvT_Pf,comdat
	.protected	_Z5applyI5TwiceEvT_Pf   ; -- Begin function _Z5applyI5TwiceEvT_Pf
	.globl	_Z5applyI5TwiceEvT_Pf
	.p2align	8
	.type	_Z5applyI5TwiceEvT_Pf,@function
_Z5applyI5TwiceEvT_Pf:                  ; @_Z5applyI5TwiceEvT_Pf
.Lfunc_begin3:
	.cfi_startproc
; %bb.0:
	.loc	0 21 10 prologue_end            ; places.hip:21:10
	s_load_dwordx2 s[0:1], s[4:5], 0x8
	;DEBUG_VALUE: apply<Twice>:x <- undef
	v_mov_b32_e32 v0, 0
.Ltmp9:
	;DEBUG_VALUE: operator():v <- undef
	s_waitcnt lgkmcnt(0)
	s_load_dword s2, s[0:1], 0x0
.Ltmp10:
	.loc	0 16 57                         ; places.hip:16:57
	s_waitcnt lgkmcnt(0)
	v_add_f32_e64 v1, s2, s2
.Ltmp11:
	.loc	0 21 6                          ; places.hip:21:6
	global_store_dword v0, v1, s[0:1]
	.loc	0 22 1                          ; places.hip:22:1
	s_endpgm
.Ltmp12:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.section	.text._Z5applyI5TwiceEvT_Pf,"axG",@progbits,_Z5applyI5TwiceEvT_Pf,comdat
.Lfunc_end3:
	.size	_Z5applyI5TwiceEvT_Pf, .Lfunc_end3-_Z5applyI5TwiceEvT_Pf
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 48
; NumSgprs: 10
; NumVgprs: 2
; NumAgprs: 0
; TotalNumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 10
; NumVGPRsForWavesPerEU: 2
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
	.section	.text._Z8inheaderIfEvPT_,"axG",@progbits,_Z8inheaderIfEvPT_,comdat
	.protected	_Z8inheaderIfEvPT_      ; -- Begin function _Z8inheaderIfEvPT_
	.globl	_Z8inheaderIfEvPT_
	.p2align	8
	.type	_Z8inheaderIfEvPT_,@function
_Z8inheaderIfEvPT_:                     ; @_Z8inheaderIfEvPT_
.Lfunc_begin4:
	.cfi_startproc
; %bb.0:
	.loc	1 9 10 prologue_end             ; ./places.h:9:10
	s_load_dwordx2 s[0:1], s[4:5], 0x0
.Ltmp13:
	;DEBUG_VALUE: scaled<float>:p <- undef
	;DEBUG_VALUE: inheader<float>:p <- undef
	.loc	1 9 19 is_stmt 0                ; ./places.h:9:19
	v_mov_b32_e32 v2, 0x40400000
	.loc	1 9 10                          ; ./places.h:9:10
	v_mov_b32_e32 v0, 0
	s_waitcnt lgkmcnt(0)
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s3
	.loc	1 9 19                          ; ./places.h:9:19
	v_fma_f32 v1, s2, v2, v1
.Ltmp14:
	.loc	1 15 8 is_stmt 1                ; ./places.h:15:8
	global_store_dword v0, v1, s[0:1] offset:8
	.loc	1 16 1                          ; ./places.h:16:1
	s_endpgm
.Ltmp15:
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.section	.text._Z8inheaderIfEvPT_,"axG",@progbits,_Z8inheaderIfEvPT_,comdat
.Lfunc_end4:
	.size	_Z8inheaderIfEvPT_, .Lfunc_end4-_Z8inheaderIfEvPT_
                                        ; -- End function
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 60
; NumSgprs: 10
; NumVgprs: 3
; NumAgprs: 0
; TotalNumVgprs: 3
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 10
; NumVGPRsForWavesPerEU: 3
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
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.type	__hip_cuid_faf394a94f97bdd8,@object ; @__hip_cuid_faf394a94f97bdd8
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_faf394a94f97bdd8
__hip_cuid_faf394a94f97bdd8:
	.byte	0                               ; 0x0
	.size	__hip_cuid_faf394a94f97bdd8, 1

	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0 ; Length of Unit
.Ldebug_info_start0:
	.short	5                               ; DWARF version number
	.byte	1                               ; DWARF Unit Type
	.byte	8                               ; Address Size (in bytes)
	.long	.debug_abbrev                   ; Offset Into Abbrev. Section
	.byte	1                               ; Abbrev [1] 0xc:0x162 DW_TAG_compile_unit
	.byte	0                               ; DW_AT_producer
	.short	33                              ; DW_AT_language
	.byte	1                               ; DW_AT_name
	.long	.Lstr_offsets_base0             ; DW_AT_str_offsets_base
	.long	.Lline_table_start0             ; DW_AT_stmt_list
	.byte	2                               ; DW_AT_comp_dir
	.quad	0                               ; DW_AT_low_pc
	.byte	2                               ; DW_AT_ranges
	.long	.Laddr_table_base0              ; DW_AT_addr_base
	.long	.Lrnglists_table_base0          ; DW_AT_rnglists_base
	.byte	2                               ; Abbrev [2] 0x2b:0x18 DW_TAG_subprogram
	.byte	5                               ; DW_AT_linkage_name
	.byte	6                               ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	8                               ; DW_AT_decl_line
	.long	67                              ; DW_AT_type
                                        ; DW_AT_external
                                        ; DW_AT_inline
	.byte	3                               ; Abbrev [3] 0x34:0x6 DW_TAG_template_type_parameter
	.long	67                              ; DW_AT_type
	.byte	4                               ; DW_AT_name
	.byte	4                               ; Abbrev [4] 0x3a:0x8 DW_TAG_formal_parameter
	.byte	7                               ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	8                               ; DW_AT_decl_line
	.long	71                              ; DW_AT_type
	.byte	0                               ; End Of Children Mark
	.byte	5                               ; Abbrev [5] 0x43:0x4 DW_TAG_base_type
	.byte	3                               ; DW_AT_name
	.byte	4                               ; DW_AT_encoding
	.byte	4                               ; DW_AT_byte_size
	.byte	6                               ; Abbrev [6] 0x47:0x5 DW_TAG_pointer_type
	.long	76                              ; DW_AT_type
	.byte	7                               ; Abbrev [7] 0x4c:0x5 DW_TAG_const_type
	.long	67                              ; DW_AT_type
	.byte	8                               ; Abbrev [8] 0x51:0x24 DW_TAG_subprogram
	.byte	0                               ; DW_AT_low_pc
	.long	.Lfunc_end0-.Lfunc_begin0       ; DW_AT_high_pc
                                        ; DW_AT_call_all_calls
	.byte	16                              ; DW_AT_linkage_name
	.byte	17                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	6                               ; DW_AT_decl_line
                                        ; DW_AT_external
	.byte	4                               ; Abbrev [4] 0x5b:0x8 DW_TAG_formal_parameter
	.byte	26                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	6                               ; DW_AT_decl_line
	.long	351                             ; DW_AT_type
	.byte	4                               ; Abbrev [4] 0x63:0x8 DW_TAG_formal_parameter
	.byte	27                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	7                               ; DW_AT_decl_line
	.long	356                             ; DW_AT_type
	.byte	9                               ; Abbrev [9] 0x6b:0x9 DW_TAG_inlined_subroutine
	.long	43                              ; DW_AT_abstract_origin
	.byte	0                               ; DW_AT_ranges
	.byte	0                               ; DW_AT_call_file
	.byte	8                               ; DW_AT_call_line
	.byte	10                              ; DW_AT_call_column
	.byte	0                               ; End Of Children Mark
	.byte	2                               ; Abbrev [2] 0x75:0x18 DW_TAG_subprogram
	.byte	9                               ; DW_AT_linkage_name
	.byte	10                              ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	8                               ; DW_AT_decl_line
	.long	141                             ; DW_AT_type
                                        ; DW_AT_external
                                        ; DW_AT_inline
	.byte	3                               ; Abbrev [3] 0x7e:0x6 DW_TAG_template_type_parameter
	.long	141                             ; DW_AT_type
	.byte	4                               ; DW_AT_name
	.byte	4                               ; Abbrev [4] 0x84:0x8 DW_TAG_formal_parameter
	.byte	7                               ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	8                               ; DW_AT_decl_line
	.long	145                             ; DW_AT_type
	.byte	0                               ; End Of Children Mark
	.byte	5                               ; Abbrev [5] 0x8d:0x4 DW_TAG_base_type
	.byte	8                               ; DW_AT_name
	.byte	4                               ; DW_AT_encoding
	.byte	8                               ; DW_AT_byte_size
	.byte	6                               ; Abbrev [6] 0x91:0x5 DW_TAG_pointer_type
	.long	150                             ; DW_AT_type
	.byte	7                               ; Abbrev [7] 0x96:0x5 DW_TAG_const_type
	.long	141                             ; DW_AT_type
	.byte	8                               ; Abbrev [8] 0x9b:0x24 DW_TAG_subprogram
	.byte	1                               ; DW_AT_low_pc
	.long	.Lfunc_end1-.Lfunc_begin1       ; DW_AT_high_pc
                                        ; DW_AT_call_all_calls
	.byte	18                              ; DW_AT_linkage_name
	.byte	17                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	11                              ; DW_AT_decl_line
                                        ; DW_AT_external
	.byte	4                               ; Abbrev [4] 0xa5:0x8 DW_TAG_formal_parameter
	.byte	26                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	11                              ; DW_AT_decl_line
	.long	360                             ; DW_AT_type
	.byte	4                               ; Abbrev [4] 0xad:0x8 DW_TAG_formal_parameter
	.byte	27                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	11                              ; DW_AT_decl_line
	.long	356                             ; DW_AT_type
	.byte	9                               ; Abbrev [9] 0xb5:0x9 DW_TAG_inlined_subroutine
	.long	117                             ; DW_AT_abstract_origin
	.byte	1                               ; DW_AT_ranges
	.byte	0                               ; DW_AT_call_file
	.byte	11                              ; DW_AT_call_line
	.byte	49                              ; DW_AT_call_column
	.byte	0                               ; End Of Children Mark
	.byte	10                              ; Abbrev [10] 0xbf:0xa DW_TAG_subprogram
	.byte	2                               ; DW_AT_low_pc
	.long	.Lfunc_end2-.Lfunc_begin2       ; DW_AT_high_pc
                                        ; DW_AT_call_all_calls
	.byte	19                              ; DW_AT_linkage_name
	.byte	20                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	13                              ; DW_AT_decl_line
                                        ; DW_AT_external
	.byte	11                              ; Abbrev [11] 0xc9:0x1b DW_TAG_structure_type
	.byte	5                               ; DW_AT_calling_convention
	.byte	13                              ; DW_AT_name
	.byte	1                               ; DW_AT_byte_size
	.byte	0                               ; DW_AT_decl_file
	.byte	15                              ; DW_AT_decl_line
	.byte	12                              ; Abbrev [12] 0xcf:0x14 DW_TAG_subprogram
	.byte	11                              ; DW_AT_linkage_name
	.byte	12                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	16                              ; DW_AT_decl_line
	.long	67                              ; DW_AT_type
                                        ; DW_AT_declaration
                                        ; DW_AT_external
	.byte	13                              ; Abbrev [13] 0xd8:0x5 DW_TAG_formal_parameter
	.long	228                             ; DW_AT_type
                                        ; DW_AT_artificial
	.byte	14                              ; Abbrev [14] 0xdd:0x5 DW_TAG_formal_parameter
	.long	67                              ; DW_AT_type
	.byte	0                               ; End Of Children Mark
	.byte	0                               ; End Of Children Mark
	.byte	6                               ; Abbrev [6] 0xe4:0x5 DW_TAG_pointer_type
	.long	233                             ; DW_AT_type
	.byte	7                               ; Abbrev [7] 0xe9:0x5 DW_TAG_const_type
	.long	201                             ; DW_AT_type
	.byte	15                              ; Abbrev [15] 0xee:0x18 DW_TAG_subprogram
	.long	207                             ; DW_AT_specification
                                        ; DW_AT_inline
	.long	247                             ; DW_AT_object_pointer
	.byte	16                              ; Abbrev [16] 0xf7:0x6 DW_TAG_formal_parameter
	.byte	14                              ; DW_AT_name
	.long	262                             ; DW_AT_type
                                        ; DW_AT_artificial
	.byte	4                               ; Abbrev [4] 0xfd:0x8 DW_TAG_formal_parameter
	.byte	15                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	16                              ; DW_AT_decl_line
	.long	67                              ; DW_AT_type
	.byte	0                               ; End Of Children Mark
	.byte	6                               ; Abbrev [6] 0x106:0x5 DW_TAG_pointer_type
	.long	233                             ; DW_AT_type
	.byte	8                               ; Abbrev [8] 0x10b:0x2e DW_TAG_subprogram
	.byte	3                               ; DW_AT_low_pc
	.long	.Lfunc_end3-.Lfunc_begin3       ; DW_AT_high_pc
                                        ; DW_AT_call_all_calls
	.byte	22                              ; DW_AT_linkage_name
	.byte	23                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	20                              ; DW_AT_decl_line
                                        ; DW_AT_external
	.byte	4                               ; Abbrev [4] 0x115:0x8 DW_TAG_formal_parameter
	.byte	29                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	20                              ; DW_AT_decl_line
	.long	201                             ; DW_AT_type
	.byte	4                               ; Abbrev [4] 0x11d:0x8 DW_TAG_formal_parameter
	.byte	26                              ; DW_AT_name
	.byte	0                               ; DW_AT_decl_file
	.byte	20                              ; DW_AT_decl_line
	.long	351                             ; DW_AT_type
	.byte	17                              ; Abbrev [17] 0x125:0xd DW_TAG_inlined_subroutine
	.long	238                             ; DW_AT_abstract_origin
	.byte	4                               ; DW_AT_low_pc
	.long	.Ltmp11-.Ltmp10                 ; DW_AT_high_pc
	.byte	0                               ; DW_AT_call_file
	.byte	21                              ; DW_AT_call_line
	.byte	8                               ; DW_AT_call_column
	.byte	3                               ; Abbrev [3] 0x132:0x6 DW_TAG_template_type_parameter
	.long	201                             ; DW_AT_type
	.byte	21                              ; DW_AT_name
	.byte	0                               ; End Of Children Mark
	.byte	8                               ; Abbrev [8] 0x139:0x26 DW_TAG_subprogram
	.byte	5                               ; DW_AT_low_pc
	.long	.Lfunc_end4-.Lfunc_begin4       ; DW_AT_high_pc
                                        ; DW_AT_call_all_calls
	.byte	24                              ; DW_AT_linkage_name
	.byte	25                              ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	14                              ; DW_AT_decl_line
                                        ; DW_AT_external
	.byte	4                               ; Abbrev [4] 0x143:0x8 DW_TAG_formal_parameter
	.byte	7                               ; DW_AT_name
	.byte	1                               ; DW_AT_decl_file
	.byte	14                              ; DW_AT_decl_line
	.long	351                             ; DW_AT_type
	.byte	17                              ; Abbrev [17] 0x14b:0xd DW_TAG_inlined_subroutine
	.long	43                              ; DW_AT_abstract_origin
	.byte	5                               ; DW_AT_low_pc
	.long	.Ltmp14-.Lfunc_begin4           ; DW_AT_high_pc
	.byte	1                               ; DW_AT_call_file
	.byte	15                              ; DW_AT_call_line
	.byte	10                              ; DW_AT_call_column
	.byte	3                               ; Abbrev [3] 0x158:0x6 DW_TAG_template_type_parameter
	.long	67                              ; DW_AT_type
	.byte	4                               ; DW_AT_name
	.byte	0                               ; End Of Children Mark
	.byte	6                               ; Abbrev [6] 0x15f:0x5 DW_TAG_pointer_type
	.long	67                              ; DW_AT_type
	.byte	5                               ; Abbrev [5] 0x164:0x4 DW_TAG_base_type
	.byte	28                              ; DW_AT_name
	.byte	5                               ; DW_AT_encoding
	.byte	4                               ; DW_AT_byte_size
	.byte	6                               ; Abbrev [6] 0x168:0x5 DW_TAG_pointer_type
	.long	141                             ; DW_AT_type
	.byte	0                               ; End Of Children Mark
.Ldebug_info_end0:
	.section	.debug_rnglists,"",@progbits
	.long	.Ldebug_list_header_end0-.Ldebug_list_header_start0 ; Length
.Ldebug_list_header_start0:
	.short	5                               ; Version
	.byte	8                               ; Address size
	.byte	0                               ; Segment selector size
	.long	3                               ; Offset entry count
.Lrnglists_table_base0:
	.long	.Ldebug_ranges0-.Lrnglists_table_base0
	.long	.Ldebug_ranges1-.Lrnglists_table_base0
	.long	.Ldebug_ranges2-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	1                               ; DW_RLE_base_addressx
	.byte	0                               ;   base address index
	.byte	4                               ; DW_RLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    ;   starting offset
	.uleb128 .Ltmp0-.Lfunc_begin0           ;   ending offset
	.byte	4                               ; DW_RLE_offset_pair
	.uleb128 .Ltmp1-.Lfunc_begin0           ;   starting offset
	.uleb128 .Ltmp2-.Lfunc_begin0           ;   ending offset
	.byte	0                               ; DW_RLE_end_of_list
.Ldebug_ranges1:
	.byte	1                               ; DW_RLE_base_addressx
	.byte	0                               ;   base address index
	.byte	4                               ; DW_RLE_offset_pair
	.uleb128 .Lfunc_begin1-.Lfunc_begin0    ;   starting offset
	.uleb128 .Ltmp4-.Lfunc_begin0           ;   ending offset
	.byte	4                               ; DW_RLE_offset_pair
	.uleb128 .Ltmp5-.Lfunc_begin0           ;   starting offset
	.uleb128 .Ltmp6-.Lfunc_begin0           ;   ending offset
	.byte	0                               ; DW_RLE_end_of_list
.Ldebug_ranges2:
	.byte	3                               ; DW_RLE_startx_length
	.byte	0                               ;   start index
	.uleb128 .Lfunc_end2-.Lfunc_begin0      ;   length
	.byte	3                               ; DW_RLE_startx_length
	.byte	3                               ;   start index
	.uleb128 .Lfunc_end3-.Lfunc_begin3      ;   length
	.byte	3                               ; DW_RLE_startx_length
	.byte	5                               ;   start index
	.uleb128 .Lfunc_end4-.Lfunc_begin4      ;   length
	.byte	0                               ; DW_RLE_end_of_list
.Ldebug_list_header_end0:
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_faf394a94f97bdd8
	.amdgpu_metadata
---
amdhsa.kernels:
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
    .max_flat_workgroup_size: 1024
    .name:           _Z4overPfi
    .private_segment_fixed_size: 0
    .sgpr_count:     10
    .sgpr_spill_count: 0
    .symbol:         _Z4overPfi.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     2
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
    .max_flat_workgroup_size: 1024
    .name:           _Z4overPdi
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         _Z4overPdi.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     4
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:           []
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .kernarg_segment_size: 0
    .max_flat_workgroup_size: 1024
    .name:           _Z5emptyv
    .private_segment_fixed_size: 0
    .sgpr_count:     4
    .sgpr_spill_count: 0
    .symbol:         _Z5emptyv.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     0
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .offset:         0
        .size:           1
        .value_kind:     by_value
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 1024
    .name:           _Z5applyI5TwiceEvT_Pf
    .private_segment_fixed_size: 0
    .sgpr_count:     10
    .sgpr_spill_count: 0
    .symbol:         _Z5applyI5TwiceEvT_Pf.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     2
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 1024
    .name:           _Z8inheaderIfEvPT_
    .private_segment_fixed_size: 0
    .sgpr_count:     10
    .sgpr_spill_count: 0
    .symbol:         _Z8inheaderIfEvPT_.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     3
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
	.section	.debug_line,"",@progbits
.Lline_table_start0:
