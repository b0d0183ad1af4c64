cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: [7.656110e+17, 8.924410e-12, 1.043440e+38, -2.679940e+23]> : tile<4xbf16>
    %0 = cmpf not_equal unordered %cst_bf16, %cst_bf16 : tile<4xbf16> -> tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[7.656110e+17, 8.924410e-12, 1.043440e+38, -2.679940e+23]> : tensor<4xbf16>}> : () -> tensor<4xbf16>
    %0 = arith.cmpf une, %cst, %cst : tensor<4xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 0x7F80> : tile<8xbf16>
    %0 = cmpf greater_than unordered %cst_bf16, %cst_bf16 : tile<8xbf16> -> tile<8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0x7F80 : bf16}> : () -> tensor<8xbf16>
    %1 = arith.cmpf ugt, %0, %0 : tensor<8xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
