module attributes {nv_tileaa.target_spec = "host"} {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "matmul"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>, %arg1: !nv_tileaa.ptr<f32, 1>, %arg2: !nv_tileaa.ptr<f32, 1>, %arg3: i32):
    %0 = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %1 = "nv_tileaa.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %2 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %3 = "nv_tileaa.make_memref"(%arg0, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
    %4 = "nv_tileas.view"(%3) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<?x?xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [32, 16], global>
    %5 = "nv_tileaa.make_memref"(%arg1, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
    %6 = "nv_tileas.view"(%5) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<?x?xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [64, 16], global>
    %7 = "nv_tileaa.make_memref"(%arg2, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
    %8 = "nv_tileas.view"(%7) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<?x?xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [32, 64], global>
    %9 = "nv_tileaa.splat"() <{value = 0.000000e+00 : f32}> : () -> tensor<32x64xf32>
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %10 = arith.divsi %arg3, %c16_i32 : i32
    %11 = scf.for %arg4 = %c0_i32 to %10 step %c1_i32 iter_args(%arg5 = %9) -> (tensor<32x64xf32>)  : i32 {
      %value, %token = "nv_tileas.tiled_load"(%4, %0, %arg4, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 1>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tiled_view<f32, [32, 16], global>, i32, i32, !nv_tileaa.mem_token) -> (tensor<32x16xf32>, !nv_tileaa.mem_token)
      %value_0, %token_1 = "nv_tileas.tiled_load"(%6, %1, %arg4, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 1>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tiled_view<f32, [64, 16], global>, i32, i32, !nv_tileaa.mem_token) -> (tensor<64x16xf32>, !nv_tileaa.mem_token)
      %13 = "nv_tileas.view"(%value_0) <{nv_tileas.layout = #nv_tileas.layout<(16,64),(1,16)>}> : (tensor<64x16xf32>) -> tensor<16x64xf32>
      %14 = "nv_tileas.dot"(%value, %13, %arg5) <{atom = #nv_tileas<atom universal_fma>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<32x16xf32>, tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
      scf.yield %14 : tensor<32x64xf32>
    }
    %12 = "nv_tileas.tiled_store"(%8, %11, %0, %1, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}> : (!nv_tileas.tiled_view<f32, [32, 64], global>, tensor<32x64xf32>, i32, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
