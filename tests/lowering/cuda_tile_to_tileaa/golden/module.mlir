cuda_tile.module @"needs quotes" attributes {producer = ""} {
  global private  @"needs quotes 0" <f64: 4.0899513407585361E+215> : tile<32xf64>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{sym_name = "needs quotes 0", sym_visibility = "private", value = dense<4.0899513407585361E+215> : tensor<32xf64>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  global private  @g1 alignment = 16 <bf16: -4.466880e-36> : tile<32xbf16>
  global  @"needs quotes 0" alignment = 16 <f8E4M3FN: 4.480000e+02> : tile<8xf8E4M3FN>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 16 : i32, sym_name = "g1", sym_visibility = "private", value = dense<-4.466880e-36> : tensor<32xbf16>}> : () -> ()
  "nv_tileaa.global"() <{alignment = 16 : i32, sym_name = "needs quotes 0", value = dense<4.480000e+02> : tensor<8xf8E4M3FN>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
