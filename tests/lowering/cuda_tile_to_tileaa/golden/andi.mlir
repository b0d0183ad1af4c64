cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<32x1x1x1xi1>
    %0 = andi %false, %false : tile<32x1x1x1xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<32x1x1x1xi1>
    %1 = arith.andi %0, %0 : tensor<32x1x1x1xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i1 = constant <i1: __elided__> : tile<4x8x1x2xi1>
    %0 = andi %cst_i1, %cst_i1 : tile<4x8x1x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x8x1x2xi1>}> : () -> tensor<4x8x1x2xi1>
    %0 = arith.andi %cst, %cst : tensor<4x8x1x2xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
