cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<1x64xi1>
    %cst_f8E4M3FN = constant <f8E4M3FN: __elided__> : tile<1x64xf8E4M3FN>
    %0 = select %false, %cst_f8E4M3FN, %cst_f8E4M3FN : tile<1x64xi1>, tile<1x64xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x64xi1>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x64xf8E4M3FN>}> : () -> tensor<1x64xf8E4M3FN>
    %1 = arith.select %0, %cst, %cst : tensor<1x64xi1>, tensor<1x64xf8E4M3FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<i1>
    %cst_7_i8 = constant <i8: 7> : tile<i8>
    %0 = select %true, %cst_7_i8, %cst_7_i8 : tile<i1>, tile<i8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %true = arith.constant true
    %c7_i8 = arith.constant 7 : i8
    %0 = arith.select %true, %c7_i8, %c7_i8 : i8
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
