cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1x1x1xi1>
    %bcast = broadcast %reshape : tile<1x1x1xi1> -> tile<2x1x8xi1>
    %true = constant <i1: true> : tile<2x1x8xi1>
    %0 = subi %bcast, %true overflow<no_signed_wrap> : tile<2x1x8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1x1x1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<2x1x8xi1>
    %2 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2x1x8xi1>
    %3 = arith.subi %1, %2 overflow<nsw> : tensor<2x1x8xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %reshape = reshape %arg0 : tile<i64> -> tile<1xi64>
    %0 = subi %reshape, %reshape overflow<no_unsigned_wrap> : tile<1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %0 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1xi64>
    %1 = arith.subi %0, %0 overflow<nuw> : tensor<1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
