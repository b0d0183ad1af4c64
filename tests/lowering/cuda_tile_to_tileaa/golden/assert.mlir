cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<1x1x2xi1>
    assert %true, "" : tile<1x1x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<1x1x2xi1>
    "nv_tileaa.assert"(%0) <{message = ""}> : (tensor<1x1x2xi1>) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<2xi1>
    assert %true, "a" : tile<2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2xi1>
    "nv_tileaa.assert"(%0) <{message = "a"}> : (tensor<2xi1>) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
