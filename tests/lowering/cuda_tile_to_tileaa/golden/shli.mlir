cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<1x1x4xi1>
    %0 = shli %false, %false : tile<1x1x4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x1x4xi1>
    %1 = arith.shli %0, %0 : tensor<1x1x4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: __elided__> : tile<1x16x2x1xi16>
    %0 = shli %cst_i16, %cst_i16 overflow<no_signed_wrap> : tile<1x16x2x1xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x16x2x1xi16>}> : () -> tensor<1x16x2x1xi16>
    %0 = arith.shli %cst, %cst overflow<nsw> : tensor<1x16x2x1xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
