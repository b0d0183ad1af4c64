cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: [3.327580e+30, 2.900930e-33, 7.656110e+17, 8.924410e-12]> : tile<4xbf16>
    %0 = cmpf not_equal unordered %cst_bf16, %cst_bf16 : tile<4xbf16> -> tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[3.327580e+30, 2.900930e-33, 7.656110e+17, 8.924410e-12]> : tensor<4xbf16>}> : () -> tensor<4xbf16>
    %0 = arith.cmpf une, %cst, %cst : tensor<4xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %cst_bf16 = constant <bf16: -3.554690e-01> : tile<8xbf16>
    %reshape = reshape %arg0 : tile<bf16> -> tile<1xbf16>
    %bcast = broadcast %reshape : tile<1xbf16> -> tile<8xbf16>
    %0 = cmpf greater_than unordered %cst_bf16, %bcast : tile<8xbf16> -> tile<8xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %0 = "nv_tileaa.splat"() <{value = -3.554690e-01 : bf16}> : () -> tensor<8xbf16>
    %1 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1xbf16>
    %2 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<8xbf16>
    %3 = arith.cmpf ugt, %0, %2 : tensor<8xbf16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
