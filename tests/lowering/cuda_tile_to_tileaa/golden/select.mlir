cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<1x64xi1>
    %cst_f8E4M3FN = constant <f8E4M3FN: 4.296880e-02> : tile<1x64xf8E4M3FN>
    %0 = select %true, %cst_f8E4M3FN, %cst_f8E4M3FN : tile<1x64xi1>, tile<1x64xf8E4M3FN>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<1x64xi1>
    %1 = "nv_tileaa.splat"() <{value = 4.296880e-02 : f8E4M3FN}> : () -> tensor<1x64xf8E4M3FN>
    %2 = arith.select %0, %1, %1 : tensor<1x64xi1>, tensor<1x64xf8E4M3FN>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<i1>
    %cst_115_i8 = constant <i8: 115> : tile<i8>
    %0 = select %true, %cst_115_i8, %cst_115_i8 : tile<i1>, tile<i8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %true = arith.constant true
    %c115_i8 = arith.constant 115 : i8
    %0 = arith.select %true, %c115_i8, %c115_i8 : i8
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
