cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %0 = ori %arg0, %arg0 : tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %0 = arith.ori %arg0, %arg0 : i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_i1 = constant <i1: [true, false, false, true]> : tile<4xi1>
    %0 = extract %cst_i1[%cst_1_i32] : tile<4xi1> -> tile<2xi1>
    %1 = extract %0[%cst_0_i32] : tile<2xi1> -> tile<1xi1>
    %2 = cat %1, %1 dim = 0 : tile<1xi1>, tile<1xi1> -> tile<2xi1>
    %bcast = broadcast %1 : tile<1xi1> -> tile<2xi1>
    %3 = cat %2, %bcast dim = 0 : tile<2xi1>, tile<2xi1> -> tile<4xi1>
    %false = constant <i1: false> : tile<2x2xi1>
    %reshape = reshape %false : tile<2x2xi1> -> tile<4xi1>
    %4 = ori %3, %reshape : tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[true, false, false, true]> : tensor<4xi1>}> : () -> tensor<4xi1>
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %c1_i32, %c2_i32 : i32
    %1 = "nv_tileaa.extract_slice"(%cst, %0) <{sizes = array<i64: 2>}> : (tensor<4xi1>, i32) -> tensor<2xi1>
    %2 = "nv_tileaa.extract_slice"(%1, %c0_i32) <{sizes = array<i64: 1>}> : (tensor<2xi1>, i32) -> tensor<1xi1>
    %3 = "nv_tileaa.cat"(%2, %2) <{axis = 0 : i32}> : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
    %4 = "nv_tileaa.broadcast"(%2) : (tensor<1xi1>) -> tensor<2xi1>
    %5 = "nv_tileaa.cat"(%3, %4) <{axis = 0 : i32}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<4xi1>
    %6 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<2x2xi1>
    %7 = "nv_tileaa.view"(%6) : (tensor<2x2xi1>) -> tensor<4xi1>
    %8 = arith.ori %5, %7 : tensor<4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
