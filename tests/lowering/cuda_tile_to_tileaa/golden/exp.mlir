cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: [[6.2473620755752644E-167, -2.8969581480200443E+121], [1.6649788372129433E-247, -1.2801891986551742E-89]]> : tile<2x2xf64>
    %0 = exp %cst_f64  : tile<2x2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[6.2473620755752644E-167, -2.8969581480200443E+121], [1.6649788372129433E-247, -1.2801891986551742E-89]]> : tensor<2x2xf64>}> : () -> tensor<2x2xf64>
    %0 = math.exp %cst : tensor<2x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: -6.8839742393997627E-136> : tile<2xf64>
    %0 = exp %cst_f64  : tile<2xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -6.8839742393997627E-136 : f64}> : () -> tensor<2xf64>
    %1 = math.exp %0 : tensor<2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
