cuda_tile.module @kernels {
  global private  constant @"needs quotes 0" alignment = 16 <i64: 5360532797429052049> : tile<4xi64>
  entry @k0() {
    %0 = get_global @"needs quotes 0" : tile<ptr<i64>>
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 16 : i32, constant, sym_name = "needs quotes 0", sym_visibility = "private", value = dense<5360532797429052049> : tensor<4xi64>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.get_global"() <{name = @"needs quotes 0"}> : () -> !nv_tileaa.ptr<i64, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  global  @g0 <i16: [16171, 21973, -11253, -578, 11881, -11423, -22271, 27418]> : tile<8xi16>
  entry @k0() {
    %0 = get_global @g0 : tile<ptr<i16>>
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{sym_name = "g0", value = dense<[16171, 21973, -11253, -578, 11881, -11423, -22271, 27418]> : tensor<8xi16>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.get_global"() <{name = @g0}> : () -> !nv_tileaa.ptr<i16, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
