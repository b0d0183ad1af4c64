cuda_tile.module @kernels {
  entry @k0() {
    %cst_-1_i16 = constant <i16: -1> : tile<1x1xi16>
    %reshape = reshape %cst_-1_i16 : tile<1x1xi16> -> tile<i16>
    %0 = absi %reshape : tile<i16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1 : i16}> : () -> tensor<1x1xi16>
    %c0_i32 = arith.constant 0 : i32
    %1 = "nv_tileaa.extract"(%0, %c0_i32, %c0_i32) : (tensor<1x1xi16>, i32, i32) -> i16
    %2 = math.absi %1 : i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %false = constant <i1: false> : tile<1x4x2xi1>
    %0 = absi %false : tile<1x4x2xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x4x2xi1>
    %1 = math.absi %0 : tensor<1x4x2xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
