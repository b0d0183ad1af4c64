cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %0 = mini %arg0, %arg0 unsigned : tile<i1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = arith.minui %arg0, %arg0 : i1
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i32 = constant <i32: [-180194470, 1448413021]> : tile<2xi32>
    %0 = mini %cst_i32, %cst_i32 unsigned : tile<2xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-180194470, 1448413021]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %0 = arith.minui %cst, %cst : tensor<2xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
