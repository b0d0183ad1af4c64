module attributes {nv_tileaa.target_spec = "host"} {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>, i32, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "shuffled"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>, %arg1: !nv_tileaa.ptr<f32, 1>, %arg2: i32, %arg3: i32):
    %c1_i32 = arith.constant 1 : i32
    %0 = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %1 = "nv_tileaa.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %c0_i32 = arith.constant 0 : i32
    %2 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %3 = "nv_tileaa.make_memref"(%arg0, %arg2, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
    %4 = "nv_tileas.view"(%3) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<?x?xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [4, 8], global>
    %5 = "nv_tileaa.make_memref"(%arg1, %arg3, %arg3, %arg3) <{operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i32, i32, i32) -> !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
    %6 = "nv_tileas.view"(%5) <{dimGroups = [array<i64: 0>, array<i64: 1>]}> : (!nv_tileaa.memref<?x?xf32, strides = [?, 1]>) -> !nv_tileas.tiled_view<f32, [8, 8], global>
    %value, %token = "nv_tileas.tiled_load"(%4, %c0_i32, %c0_i32, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false, false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0, 1>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileas.tiled_view<f32, [4, 8], global>, i32, i32, !nv_tileaa.mem_token) -> (tensor<4x8xf32>, !nv_tileaa.mem_token)
    %7 = "nv_tileas.view"(%value) <{nv_tileas.layout = #nv_tileas.layout<(8,4),(4,1)>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %8 = "nv_tileas.view"(%7) <{nv_tileas.layout = #nv_tileas.layout<(4,8),(1,4)>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %9 = "nv_tileas.alloc_tensor"() <{nv_tileas.layout = #nv_tileas.layout<(1,(8,8)),(0,(8,1))>}> : () -> tensor<8x8xf32>
    %c0_i32_0 = arith.constant 0 : i32
    %10 = "nv_tileas.insert_slice"(%value, %9, %c0_i32_0, %c0_i32_0) <{sizes = array<i64: 4, 8>}> : (tensor<4x8xf32>, tensor<8x8xf32>, i32, i32) -> tensor<8x8xf32>
    %c4_i32 = arith.constant 4 : i32
    %11 = "nv_tileas.insert_slice"(%8, %10, %c4_i32, %c0_i32_0) <{sizes = array<i64: 4, 8>}> : (tensor<4x8xf32>, tensor<8x8xf32>, i32, i32) -> tensor<8x8xf32>
    %12 = "nv_tileas.extract_slice"(%11, %c1_i32, %c0_i32) <{sizes = array<i64: 4, 8>}> : (tensor<8x8xf32>, i32, i32) -> tensor<4x8xf32>
    %13 = "nv_tileas.alloc_tensor"() <{nv_tileas.layout = #nv_tileas.layout<(1,(8,8)),(0,(8,1))>}> : () -> tensor<8x8xf32>
    %c0_i32_1 = arith.constant 0 : i32
    %14 = "nv_tileas.insert_slice"(%12, %13, %c0_i32_1, %c0_i32_1) <{sizes = array<i64: 4, 8>}> : (tensor<4x8xf32>, tensor<8x8xf32>, i32, i32) -> tensor<8x8xf32>
    %c4_i32_2 = arith.constant 4 : i32
    %15 = "nv_tileas.insert_slice"(%8, %14, %c4_i32_2, %c0_i32_1) <{sizes = array<i64: 4, 8>}> : (tensor<4x8xf32>, tensor<8x8xf32>, i32, i32) -> tensor<8x8xf32>
    %16 = "nv_tileas.tiled_store"(%6, %15, %c0_i32, %c0_i32, %2) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}> : (!nv_tileas.tiled_view<f32, [8, 8], global>, tensor<8x8xf32>, i32, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
