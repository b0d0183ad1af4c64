cuda_tile.module @kernels {
  entry @k0() {
    %cst_96439780_i32 = constant <i32: 96439780> : tile<1x1xi32>
    %cst_375861226_i32 = constant <i32: 375861226> : tile<1x1xi32>
    %0 = maxi %cst_96439780_i32, %cst_375861226_i32 unsigned : tile<1x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 96439780 : i32}> : () -> tensor<1x1xi32>
    %1 = "nv_tileaa.splat"() <{value = 375861226 : i32}> : () -> tensor<1x1xi32>
    %2 = arith.maxui %0, %1 : tensor<1x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_21_i8 = constant <i8: 21> : tile<1xi8>
    %0 = maxi %cst_21_i8, %cst_21_i8 signed : tile<1xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 21 : i8}> : () -> tensor<1xi8>
    %1 = arith.maxsi %0, %0 : tensor<1xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
