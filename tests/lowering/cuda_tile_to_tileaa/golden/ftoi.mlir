cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f8E4M3FN>) {
    %0 = ftoi %arg0 unsigned  saturating : tile<f8E4M3FN> -> tile<i16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f8E4M3FN) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f8E4M3FN):
    %0 = arith.fptoui %arg0 {nv_tileaa.saturating} : f8E4M3FN to i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %0 = ftoi %arg0 signed  saturating : tile<f64> -> tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = arith.fptosi %arg0 {nv_tileaa.saturating} : f64 to i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
