cuda_tile.module @kernels {
  entry @k0() {
    %cst_12124_i16 = constant <i16: 12124> : tile<i16>
    %0 = absi %cst_12124_i16 : tile<i16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c12124_i16 = arith.constant 12124 : i16
    %0 = math.absi %c12124_i16 : i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i1 = constant <i1: [[[true, false], [false, true], [true, false], [true, false]]]> : tile<1x4x2xi1>
    %0 = absi %cst_i1 : tile<1x4x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[true, false], [false, true], [true, false], [true, false]]]> : tensor<1x4x2xi1>}> : () -> tensor<1x4x2xi1>
    %0 = math.absi %cst : tensor<1x4x2xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
