cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %0 = log %arg0 : tile<bf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = math.log %arg0 : bf16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: [[6.8328810696671081E+90, 9.7753342881433212E+231, -1.4407549625493658E+116, -5.6776154833534216E-28, 3.1799819868747193E+111, 1.2344602666517332E+290, -4.1702847830635135E-142, 1.0534786982051148E-153]]> : tile<1x8xf64>
    %0 = log %cst_f64 : tile<1x8xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[6.8328810696671081E+90, 9.7753342881433212E+231, -1.4407549625493658E+116, -5.6776154833534216E-28, 3.1799819868747193E+111, 1.2344602666517332E+290, -4.1702847830635135E-142, 1.0534786982051148E-153]]> : tensor<1x8xf64>}> : () -> tensor<1x8xf64>
    %0 = math.log %cst : tensor<1x8xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
