cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i1>>) {
    %tview = make_tensor_view %arg0, shape = [1], strides = [1] : tensor_view<1xi1, strides=[1]>
    %pview = make_partition_view %tview : partition_view<tile=(1), padding_value = zero, tensor_view<1xi1, strides=[1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32] inbounds = [false] : partition_view<tile=(1), padding_value = zero, tensor_view<1xi1, strides=[1]>>, tile<i32> -> tile<1xi1>, token
    %reshape = reshape %tile : tile<1xi1> -> tile<i1>
    if %reshape {
      return
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i1, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i1, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i1, 1>) -> !nv_tileaa.memref<1xi1, strides = [1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 1>}> : (!nv_tileaa.memref<1xi1, strides = [1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<1xi1, strides = [1]>, [1]>
    %c0_i32 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<1xi1, strides = [1]>, [1]>, i32) -> (tensor<1xi1>, !nv_tileaa.mem_token)
    %c0_i32_0 = arith.constant 0 : i32
    %2 = "nv_tileaa.extract"(%value, %c0_i32_0) : (tensor<1xi1>, i32) -> i1
    scf.if %2 {
    } else {
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f8E8M0FNU>) {
    loop {
      %cst_f16 = constant <f16: [5.004880e-03, 4.265000e+02, 5.046880e+00, -1.597660e+01, 5.751850e-05, 1.281000e+03, 4.075000e+01, -4.233400e-01]> : tile<8xf16>
      %cst_f16_0 = constant <f16: [3.051760e-05, 1.000000e+00, -6.109480e-05, -5.960460e-08, 0x7E00, -1.000000e+00, 1.000000e+00, 0.000000e+00]> : tile<8xf16>
      %0 = atan2 %cst_f16, %cst_f16_0 : tile<8xf16>
      %reshape = reshape %arg0 : tile<f8E8M0FNU> -> tile<f8E8M0FNU>
      return
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f8E8M0FNU) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f8E8M0FNU):
    %0 = scf.while : () -> i1 {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[5.004880e-03, 4.265000e+02, 5.046880e+00, -1.597660e+01, 5.751850e-05, 1.281000e+03, 4.075000e+01, -4.233400e-01]> : tensor<8xf16>}> : () -> tensor<8xf16>
      %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[3.051760e-05, 1.000000e+00, -6.109480e-05, -5.960460e-08, 0x7E00, -1.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<8xf16>}> : () -> tensor<8xf16>
      %1 = math.atan2 %cst, %cst_0 : tensor<8xf16>
      %true = arith.constant true
      %false = arith.constant false
      scf.condition(%false) %true : i1
    } do {
    ^bb0(%arg1: i1):
      scf.yield
    }
    scf.if %0 {
    } else {
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
