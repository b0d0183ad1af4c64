cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1xi16>
    %bcast = broadcast %reshape : tile<1xi16> -> tile<2xi16>
    %reduce = reduce %bcast dim=0 identities=[-32767 : i16] : tile<2xi16> -> tile<i16> 
    (%reduce_lhs: tile<i16>, %reduce_rhs: tile<i16>) {
      %0 = cmpi greater_than %reduce_lhs, %reduce_rhs, signed : tile<i16> -> tile<i1>
      %1 = if %0 -> (tile<i16>) {
        yield %reduce_lhs : tile<i16>
      } else {
        yield %reduce_rhs : tile<i16>
      }
      yield %1 : tile<i16>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<2xi16>
    %2 = "nv_tileaa.reduce"(%1) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i16, %arg2: i16):
      %3 = arith.cmpi sgt, %arg2, %arg1 : i16
      %4 = scf.if %3 -> (i16) {
        scf.yield %arg2 : i16
      } else {
        scf.yield %arg1 : i16
      }
      "nv_tileaa.yield"(%4) : (i16) -> ()
    }) : (tensor<2xi16>) -> i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E5M2>>) {
    %tview = make_tensor_view %arg0, shape = [16, 2], strides = [2, 1] : tensor_view<16x2xf8E5M2, strides=[2,1]>
    %pview = make_partition_view %tview : partition_view<tile=(16x2), padding_value = zero, tensor_view<16x2xf8E5M2, strides=[2,1]>>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32_0] inbounds = [false, false] : partition_view<tile=(16x2), padding_value = zero, tensor_view<16x2xf8E5M2, strides=[2,1]>>, tile<i32> -> tile<16x2xf8E5M2>, token
    %cst_bf16 = constant <bf16: __elided__> : tile<16x2xbf16>
    %reduce:2 = reduce %tile, %cst_bf16 dim=1 identities=[-1.525880e-05 : f8E5M2, -1.249000e-14 : bf16] : tile<16x2xf8E5M2>, tile<16x2xbf16> -> tile<16xf8E5M2>, tile<16xbf16> 
    (%reduce_lhs0: tile<f8E5M2>, %reduce_rhs0: tile<f8E5M2>, %reduce_lhs1: tile<bf16>, %reduce_rhs1: tile<bf16>) {
      %0 = maxf %reduce_lhs1, %reduce_rhs1 : tile<bf16>
      yield %reduce_rhs0, %0 : tile<f8E5M2>, tile<bf16>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E5M2, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E5M2, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f8E5M2, 1>) -> !nv_tileaa.memref<16x2xf8E5M2, strides = [2, 1]>
    %1 = "nv_tileaa.block_tile"(%0) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 16, 2>}> : (!nv_tileaa.memref<16x2xf8E5M2, strides = [2, 1]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<16x2xf8E5M2, strides = [2, 1]>, [16, 2]>
    %c0_i32 = arith.constant 0 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %value, %token = "nv_tileaa.tiled_load"(%1, %c0_i32, %c0_i32_0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 0>}> : (!nv_tileaa.tiled_view<!nv_tileaa.memref<16x2xf8E5M2, strides = [2, 1]>, [16, 2]>, i32, i32) -> (tensor<16x2xf8E5M2>, !nv_tileaa.mem_token)
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<16x2xbf16>}> : () -> tensor<16x2xbf16>
    %2:2 = "nv_tileaa.reduce"(%value, %cst) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f8E5M2, %arg2: bf16, %arg3: f8E5M2, %arg4: bf16):
      %3 = arith.maxnumf %arg4, %arg2 : bf16
      "nv_tileaa.yield"(%arg1, %3) : (f8E5M2, bf16) -> ()
    }) : (tensor<16x2xf8E5M2>, tensor<16x2xbf16>) -> (tensor<16xf8E5M2>, tensor<16xbf16>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
