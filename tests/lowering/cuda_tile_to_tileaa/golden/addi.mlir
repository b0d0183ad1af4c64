cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1xi1>
    %bcast = broadcast %reshape : tile<1xi1> -> tile<4xi1>
    %0 = addi %bcast, %bcast overflow<no_wrap> : tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<4xi1>
    %2 = arith.addi %1, %1 overflow<nsw, nuw> : tensor<4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %reshape = reshape %arg0 : tile<i64> -> tile<1x1xi64>
    %bcast = broadcast %reshape : tile<1x1xi64> -> tile<1x2xi64>
    %0 = addi %bcast, %bcast overflow<no_signed_wrap> : tile<1x2xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %0 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1x1xi64>
    %1 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1x2xi64>
    %2 = arith.addi %1, %1 overflow<nsw> : tensor<1x2xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
