cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_tf32 = constant <tf32: -6.675670e-20> : tile<1xtf32>
    %0 = extract %cst_tf32[%cst_0_i32] : tile<1xtf32> -> tile<1xtf32>
    %reduce = reduce %0 dim=0 identities=[-3.950300e+37 : tf32] : tile<1xtf32> -> tile<tf32> 
    (%reduce_lhs: tile<tf32>, %reduce_rhs: tile<tf32>) {
      yield %reduce_lhs : tile<tf32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %0 = "nv_tileaa.splat"() <{value = -6.675670e-20 : tf32}> : () -> tensor<1xtf32>
    %1 = "nv_tileaa.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg0: tf32, %arg1: tf32):
      "nv_tileaa.yield"(%arg1) : (tf32) -> ()
    }) : (tensor<1xtf32>) -> tf32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %reshape = reshape %arg0 : tile<i32> -> tile<1x1xi32>
    %bcast = broadcast %reshape : tile<1x1xi32> -> tile<1x8xi32>
    %0 = cat %bcast, %bcast dim = 1 : tile<1x8xi32>, tile<1x8xi32> -> tile<1x16xi32>
    %1 = permute %0 [0, 1] : tile<1x16xi32> -> tile<1x16xi32>
    %reduce:2 = reduce %1, %0 dim=0 identities=[1985935577 : i32, 1272320952 : i32] : tile<1x16xi32>, tile<1x16xi32> -> tile<16xi32>, tile<16xi32> 
    (%reduce_lhs0: tile<i32>, %reduce_rhs0: tile<i32>, %reduce_lhs1: tile<i32>, %reduce_rhs1: tile<i32>) {
      %2 = xori %reduce_lhs0, %reduce_rhs0 : tile<i32>
      %3 = muli %reduce_lhs1, %reduce_rhs1 : tile<i32>
      yield %2, %3 : tile<i32>, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1x1xi32>
    %1 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1x8xi32>
    %2 = "nv_tileaa.cat"(%1, %1) <{axis = 1 : i32}> : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x16xi32>
    %3 = "nv_tileaa.permute"(%2) <{permutation = array<i64: 0, 1>}> : (tensor<1x16xi32>) -> tensor<1x16xi32>
    %4:2 = "nv_tileaa.reduce"(%3, %2) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32):
      %5 = arith.xori %arg3, %arg1 : i32
      %6 = arith.muli %arg4, %arg2 : i32
      "nv_tileaa.yield"(%5, %6) : (i32, i32) -> ()
    }) : (tensor<1x16xi32>, tensor<1x16xi32>) -> (tensor<16xi32>, tensor<16xi32>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
