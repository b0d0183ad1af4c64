// Atoms of cute_nvgpu.
// RUN: tilewright-opt %s --allow-unregistered-dialect | tilewright-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: %0:2 = "test.integers"() : () -> (!cute_nvgpu.i32, !cute_nvgpu.i64<divby 16>)
// CHECK-NEXT:  %1:3 = "test.warp_mma"() : () -> (!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, !cute_nvgpu.sm80.sparse_mma<16x8x32, bf16, bf16, f32>, !cute_nvgpu.sm89.mma<16x8x32, f8E4M3FN, f8E5M2, f32>)
// CHECK-NEXT:  %2 = "test.group_mma"() : () -> !cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32, b_major = mn>
// CHECK-NEXT:  %3:2 = "test.tensor_mma"() : () -> (!cute_nvgpu.sm100.mma<256x256x16, f16, f16, f32, num_ctas = 2>, !cute_nvgpu.sm100.mma_sp<128x64x32, f16, f16, f32>)
// CHECK-NEXT:  %4:3 = "test.scaled_mma"() : () -> (!cute_nvgpu.sm100.mma_bs<128x256x64, f4E2M1FN, f4E2M1FN, f32, scale = f8E4M3FN, scale_vector = 16>, !cute_nvgpu.sm100.mma_bs_sp<128x256x64, f8E4M3FN, f8E4M3FN, f32>, !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f6E3M2FN, f32>)
// CHECK-NEXT:  %5:3 = "test.universal"() : () -> (!cute_nvgpu.atom.universal_fma<f32>, !cute_nvgpu.atom.universal_copy<f32>, !cute_nvgpu.atom.universal_copy<f32, 128 b, allow_dsmem, mem_order=acquire, mem_scope=cluster>)
// CHECK-NEXT:  %6:3 = "test.shared"() : () -> (!cute_nvgpu.atom.simt_async_copy<f32, 128, cache = cg>, !cute_nvgpu.atom.ldsm<f16, 4, mode = MT88>, !cute_nvgpu.atom.stsm<f16, 2>)
// CHECK-NEXT:  %7:3 = "test.tensor_memory"() : () -> (!cute_nvgpu.atom.tmem_load<f32, "32x32b", repeat = 16>, !cute_nvgpu.atom.tmem_store<f32, "16x256b">, !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, "32x128b", num_ctas = 2>)
// CHECK-NEXT:  %8:3 = "test.tma"() : () -> (!cute_nvgpu.atom.tma_load<f16, [64, 128], mode = two_cta>, !cute_nvgpu.atom.tma_store<f16, [64]>, !cute_nvgpu.atom.tma_reduce<f16, [64], add>)
// CHECK-NEXT:  %9:3 = "test.non_exec"() : () -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<f16, [64]>, !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, [64]>, !cute_nvgpu.atom.non_exec_tiled_tma_reduce<f16, [64], xor>)
// CHECK-NEXT:  %10:4 = "test.descriptors"() : () -> (!cute_nvgpu.tma_descriptor_tiled<f16, [64, 64]>, !cute_nvgpu.tma_descriptor_im2col<f16, [1, 8, 8, 64]>, !cute_nvgpu.smem_desc<mn, swizzle = "128B">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<k>, !cute.layout<"4:1">>)

"test.integers"() : () -> (!cute_nvgpu.i32, !cute_nvgpu.i64<divby 16>)
"test.warp_mma"() : () -> (!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, !cute_nvgpu.sm80.sparse_mma<16x8x32, bf16, bf16, f32>, !cute_nvgpu.sm89.mma<16x8x32, f8E4M3FN, f8E5M2, f32>)
"test.group_mma"() : () -> !cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32, b_major = mn>
"test.tensor_mma"() : () -> (!cute_nvgpu.sm100.mma<256x256x16, f16, f16, f32, num_ctas = 2>, !cute_nvgpu.sm100.mma_sp<128x64x32, f16, f16, f32>)
"test.scaled_mma"() : () -> (!cute_nvgpu.sm100.mma_bs<128x256x64, f4E2M1FN, f4E2M1FN, f32, scale = f8E4M3FN, scale_vector = 16>, !cute_nvgpu.sm100.mma_bs_sp<128x256x64, f8E4M3FN, f8E4M3FN, f32>, !cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f6E3M2FN, f32>)
"test.universal"() : () -> (!cute_nvgpu.atom.universal_fma<f32>, !cute_nvgpu.atom.universal_copy<f32>, !cute_nvgpu.atom.universal_copy<f32, 128 b, allow_dsmem, mem_order=acquire, mem_scope=cluster>)
"test.shared"() : () -> (!cute_nvgpu.atom.simt_async_copy<f32, 128, cache = cg>, !cute_nvgpu.atom.ldsm<f16, 4, mode = MT88>, !cute_nvgpu.atom.stsm<f16, 2>)
"test.tensor_memory"() : () -> (!cute_nvgpu.atom.tmem_load<f32, "32x32b", repeat = 16>, !cute_nvgpu.atom.tmem_store<f32, "16x256b">, !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, "32x128b", num_ctas = 2>)
"test.tma"() : () -> (!cute_nvgpu.atom.tma_load<f16, [64, 128], mode = two_cta>, !cute_nvgpu.atom.tma_store<f16, [64]>, !cute_nvgpu.atom.tma_reduce<f16, [64], add>)
"test.non_exec"() : () -> (!cute_nvgpu.atom.non_exec_tiled_tma_load<f16, [64]>, !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, [64]>, !cute_nvgpu.atom.non_exec_tiled_tma_reduce<f16, [64], xor>)
"test.descriptors"() : () -> (!cute_nvgpu.tma_descriptor_tiled<f16, [64, 64]>, !cute_nvgpu.tma_descriptor_im2col<f16, [1, 8, 8, 64]>, !cute_nvgpu.smem_desc<mn, swizzle = "128B">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<k>, !cute.layout<"4:1">>)
