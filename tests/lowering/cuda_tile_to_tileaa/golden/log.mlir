cuda_tile.module @kernels {
  entry @k0() {
    %cst_bf16 = constant <bf16: 3.389530e+38> : tile<bf16>
    %0 = log %cst_bf16 : tile<bf16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant 3.389530e+38 : bf16
    %0 = math.log %cst : bf16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %reshape = reshape %arg0 : tile<f64> -> tile<1x1xf64>
    %bcast = broadcast %reshape : tile<1x1xf64> -> tile<1x8xf64>
    %0 = log %bcast : tile<1x8xf64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x8xf64>
    %2 = math.log %1 : tensor<1x8xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
