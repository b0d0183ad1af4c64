cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %reshape = reshape %arg0 : tile<i32> -> tile<1xi32>
    %bcast = broadcast %reshape : tile<1xi32> -> tile<64xi32>
    %0 = itof %bcast unsigned  : tile<64xi32> -> tile<64xf4E2M1FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1xi32>
    %1 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<64xi32>
    %2 = arith.uitofp %1 : tensor<64xi32> to tensor<64xf4E2M1FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1xi1>
    %bcast = broadcast %reshape : tile<1xi1> -> tile<64xi1>
    %0 = itof %bcast unsigned  : tile<64xi1> -> tile<64xfnv8E5M3FNU>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<64xi1>
    %2 = arith.uitofp %1 : tensor<64xi1> to tensor<64xfnv8E5M3FNU>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
