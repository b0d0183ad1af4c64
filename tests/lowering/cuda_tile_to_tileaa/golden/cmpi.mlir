cuda_tile.module @kernels {
  entry @k0() {
    %cst_-860007347_i32 = constant <i32: -860007347> : tile<1x2x8xi32>
    %0 = cmpi equal %cst_-860007347_i32, %cst_-860007347_i32, unsigned : tile<1x2x8xi32> -> tile<1x2x8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -860007347 : i32}> : () -> tensor<1x2x8xi32>
    %1 = arith.cmpi eq, %0, %0 : tensor<1x2x8xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i16>) {
    %reshape = reshape %arg0 : tile<i16> -> tile<1x1x1xi16>
    %bcast = broadcast %reshape : tile<1x1x1xi16> -> tile<2x2x4xi16>
    %0 = cmpi greater_than_or_equal %bcast, %bcast, signed : tile<2x2x4xi16> -> tile<2x2x4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i16):
    %0 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<1x1x1xi16>
    %1 = "nv_tileaa.splat"(%arg0) : (i16) -> tensor<2x2x4xi16>
    %2 = arith.cmpi sge, %1, %1 : tensor<2x2x4xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
