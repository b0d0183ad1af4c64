cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f64>>) {
    %tview = make_tensor_view %arg0, shape = [3], strides = [1] : tensor_view<3xf64, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(4), padding_value = zero, tensor_view<3xf64, strides=[1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] inbounds = [false] : partition_view<tile=(4), padding_value = zero, tensor_view<3xf64, strides=[1]>>, tile<i32> -> tile<4xf64>, token
    %0 = divf %tile, %tile rounding<positive_inf> : tile<4xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f64, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f64, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f64, 1>) -> !nv_tileaa.memref<3xf64, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 4>}> : (!nv_tileaa.memref<3xf64, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<3xf64, strides = [1]>, [4]>
    %c0_i32 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, in_bounds = array<i1: false>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>, padding_value = #nv_tileaa.padding_value<zero>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<3xf64, strides = [1]>, [4]>, i32) -> (tensor<4xf64>, !nv_tileaa.mem_token)
    %2 = "nv_tileaa.divf"(%value, %value) <{rounding_mode = #nv_tileaa.rounding_mode<positive_inf>}> : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 3.834640e+31> : tile<32xbf16>
    %cst_bf16_0 = constant <bf16: __elided__> : tile<32xbf16>
    %0 = divf %cst_bf16, %cst_bf16_0 rounding<negative_inf> : tile<32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 3.834640e+31 : bf16}> : () -> tensor<32xbf16>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xbf16>}> : () -> tensor<32xbf16>
    %1 = "nv_tileaa.divf"(%0, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
