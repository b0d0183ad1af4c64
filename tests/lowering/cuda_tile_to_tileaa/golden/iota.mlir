cuda_tile.module @kernels {
  entry @k0() {
    %0 = iota : tile<2xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i8 = arith.constant 0 : i8
    %c2_i8 = arith.constant 2 : i8
    %0 = "nv_tileaa.make_range"(%c0_i8, %c2_i8) : (i8, i8) -> tensor<2xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %0 = iota : tile<2xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %0 = "nv_tileaa.make_range"(%c0_i64, %c2_i64) : (i64, i64) -> tensor<2xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
