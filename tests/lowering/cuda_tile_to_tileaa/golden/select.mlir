cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<1x64xi1>
    %cst_f8E4M3FN = constant <f8E4M3FN: -4.500000e+00> : tile<1x64xf8E4M3FN>
    %cst_f8E4M3FN_0 = constant <f8E4M3FN: -3.906250e-02> : tile<64x1xf8E4M3FN>
    %reshape = reshape %cst_f8E4M3FN_0 : tile<64x1xf8E4M3FN> -> tile<1x64xf8E4M3FN>
    %0 = select %false, %cst_f8E4M3FN, %reshape : tile<1x64xi1>, tile<1x64xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x64xi1>
    %1 = "nv_tileaa.splat"() <{value = -4.500000e+00 : f8E4M3FN}> : () -> tensor<1x64xf8E4M3FN>
    %2 = "nv_tileaa.splat"() <{value = -3.906250e-02 : f8E4M3FN}> : () -> tensor<64x1xf8E4M3FN>
    %3 = "nv_tileaa.view"(%2) : (tensor<64x1xf8E4M3FN>) -> tensor<1x64xf8E4M3FN>
    %4 = arith.select %0, %1, %3 : tensor<1x64xi1>, tensor<1x64xf8E4M3FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<i1>
    %cst_66_i8 = constant <i8: 66> : tile<i8>
    %0 = select %true, %cst_66_i8, %cst_66_i8 : tile<i1>, tile<i8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %true = arith.constant true
    %c66_i8 = arith.constant 66 : i8
    %0 = arith.select %true, %c66_i8, %c66_i8 : i8
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
