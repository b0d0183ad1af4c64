cuda_tile.module @kernels {
  entry @k0() {
    %cst_465275318_i32 = constant <i32: 465275318> : tile<i32>
    %0 = ori %cst_465275318_i32, %cst_465275318_i32 : tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c465275318_i32 = arith.constant 465275318 : i32
    %0 = arith.ori %c465275318_i32, %c465275318_i32 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    %reshape = reshape %arg0 : tile<i1> -> tile<1xi1>
    %bcast = broadcast %reshape : tile<1xi1> -> tile<4xi1>
    %cst_i1 = constant <i1: [true, false, true, true]> : tile<4xi1>
    %0 = ori %bcast, %cst_i1 : tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    %0 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1xi1>
    %1 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<4xi1>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[true, false, true, true]> : tensor<4xi1>}> : () -> tensor<4xi1>
    %2 = arith.ori %1, %cst : tensor<4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
