cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1x1x1x1xi1>
    %bcast = broadcast %reshape : tile<1x1x1x1xi1> -> tile<32x1x1x1xi1>
    %0 = andi %bcast, %bcast : tile<32x1x1x1xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1x1x1x1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<32x1x1x1xi1>
    %2 = arith.andi %1, %1 : tensor<32x1x1x1xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<4x8x1x2xi1>
    %0 = andi %false, %false : tile<4x8x1x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<4x8x1x2xi1>
    %1 = arith.andi %0, %0 : tensor<4x8x1x2xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
