cuda_tile.module @kernels {
  entry @k0() {
    %cst_f16 = constant <f16: [-2.168420e-04, 4.793600e+04, -1.538400e+04, 5.034180e-01, 7.663730e-03, -1.045000e+02, -4.953150e-05, -8.192000e+03]> : tile<8xf16>
    %0 = subf %cst_f16, %cst_f16 rounding<negative_inf> : tile<8xf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-2.168420e-04, 4.793600e+04, -1.538400e+04, 5.034180e-01, 7.663730e-03, -1.045000e+02, -4.953150e-05, -8.192000e+03]> : tensor<8xf16>}> : () -> tensor<8xf16>
    %0 = "nv_tileaa.subf"(%cst, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<negative_inf>}> : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: __elided__> : tile<32xbf16>
    %0 = subf %cst_bf16, %cst_bf16  : tile<32xbf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xbf16>}> : () -> tensor<32xbf16>
    %0 = "nv_tileaa.subf"(%cst, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
