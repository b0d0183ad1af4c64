// Types of cute.
// RUN: tilewright-opt %s --allow-unregistered-dialect | tilewright-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: %0:4 = "test.tuples"() : () -> (!cute.int_tuple<"(4,(8,?{i64 div=16}),3@0@1,1/2)">, !cute.shape<"(4,())">, !cute.stride<"(1@0,1@1)">, !cute.coord<"(_,?)">)
// CHECK-NEXT:  %1:4 = "test.layouts"() : () -> (!cute.layout<"(4,(8,2)):(1,(4,32))">, !cute.swizzle<"S<3,4,3>">, !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.tile<"[128:1;(8,4):(4,1);_]">)
// CHECK-NEXT:  %2:4 = "test.memory"() : () -> (!cute.ptr<f16, smem, align<128>, S<3,4,3>>, !cute.ptr<f16, gmem>, !cute.memref<f16, gmem, align<16>, "(64,?):(?,1)">, !cute.memref<f16, rmem, "S<2,4,3> o 0 o 8:1">)
// CHECK-NEXT:  %3:5 = "test.others"() : () -> (!cute.coord_tensor<"(0,0)", "(8,8):(1@0,1@1)">, !cute.sparse_elem<2, f16>, !cute.tuple<(!cute.shape<"4">, i32)>, !cute.fast_divmod_divisor<32>, !cute_nvgpu.i32<divby 4>)
// CHECK-NEXT:  %4:2 = "test.tiled"() : () -> (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, "(32,4):(4,1)", "[128:1]">, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(2,2,1):(1,2,0)", permutation = "[32:1]">)

"test.tuples"() : () -> (!cute.int_tuple<"(4,(8,?{i64 div=16}),3@0@1,1/2)">, !cute.shape<"( 4, () )">, !cute.stride<"(1@0,1@1)">, !cute.coord<"(_,?)">)
"test.layouts"() : () -> (!cute.layout<"(4,(8,2)):(1,(4,32))">, !cute.swizzle<"S<3,4,3>">, !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.tile<"[128:1;(8,4):(4,1);_]">)
"test.memory"() : () -> (!cute.ptr<f16, smem, align<128>, S<3,4,3>>, !cute.ptr<f16, gmem>, !cute.memref<f16, gmem, align<16>, "(64,?):(?,1)">, !cute.memref<f16, rmem, "S<2,4,3> o 0 o 8:1">)
"test.others"() : () -> (!cute.coord_tensor<"(0,0)", "(8,8):(1@0,1@1)">, !cute.sparse_elem<2, f16>, !cute.tuple<(!cute.shape<"4">, i32)>, !cute.fast_divmod_divisor<32>, !cute.i32<divby 4>)
"test.tiled"() : () -> (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, "(32,4):(4,1)", "[128:1]">, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(2,2,1):(1,2,0)", permutation = "[32:1]">)
