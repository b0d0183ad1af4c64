cuda_tile.module @kernels {
  global private  constant @g0 alignment = 128 <i16: 0> : tile<8xi16>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 128 : i32, constant, sym_name = "g0", sym_visibility = "private", value = dense<0> : tensor<8xi16>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  global  constant @g0 alignment = 128 <f4E2M1FN: [6.000000e+00, -5.000000e-01, 1.000000e+00, 0.000000e+00]> : tile<4xf4E2M1FN>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 128 : i32, constant, sym_name = "g0", value = dense<[6.000000e+00, -5.000000e-01, 1.000000e+00, 0.000000e+00]> : tensor<4xf4E2M1FN>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
