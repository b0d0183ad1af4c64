cuda_tile.module @kernels {
  entry @k0() {
    %cst_f64 = constant <f64: -1.8314742270824434E+131> : tile<f64>
    %0 = sinh %cst_f64 : tile<f64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = arith.constant -1.8314742270824434E+131 : f64
    %0 = math.sinh %cst : f64
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f32>) {
    %reshape = reshape %arg0 : tile<f32> -> tile<1xf32>
    %0 = sinh %reshape : tile<1xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32):
    %0 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1xf32>
    %1 = math.sinh %0 : tensor<1xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
