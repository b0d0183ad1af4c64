cuda_tile.module @"needs quotes" attributes {producer = ""} {
  global  constant @"needs quotes 0" alignment = 128 <f64: 1.6925220595009106E-121> : tile<32xf64>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 128 : i32, constant, sym_name = "needs quotes 0", value = dense<1.6925220595009106E-121> : tensor<32xf64>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  global  constant @g1 alignment = 128 <bf16: 1.434520e+12> : tile<32xbf16>
  global  @"needs quotes 0" alignment = 16 <f8E4M3FN: -1.562500e-01> : tile<8xf8E4M3FN>
  entry @k0() {
    return
  }
}
// becomes
module {
  "nv_tileaa.global"() <{alignment = 128 : i32, constant, sym_name = "g1", value = dense<1.434520e+12> : tensor<32xbf16>}> : () -> ()
  "nv_tileaa.global"() <{alignment = 16 : i32, sym_name = "needs quotes 0", value = dense<-1.562500e-01> : tensor<8xf8E4M3FN>}> : () -> ()
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
