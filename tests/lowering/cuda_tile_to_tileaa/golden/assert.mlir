cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<1x1x2xi1>
    assert %false, "%d%%" : tile<1x1x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x1x2xi1>
    "nv_tileaa.assert"(%0) <{message = "%d%%"}> : (tensor<1x1x2xi1>) -> ()
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
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2xi1>
    "nv_tileaa.assert"(%0) <{message = "a"}> : (tensor<2xi1>) -> ()
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
