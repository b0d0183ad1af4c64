cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %0 = ori %arg0, %arg0 : tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
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
    %cst_i1 = constant <i1: [true, true, false, true]> : tile<4xi1>
    %0 = extract %cst_i1[%cst_1_i32] : tile<4xi1> -> tile<2xi1>
    %1 = extract %0[%cst_0_i32] : tile<2xi1> -> tile<1xi1>
    %false = constant <i1: false> : tile<1xi1>
    %2 = cat %1, %false dim = 0 : tile<1xi1>, tile<1xi1> -> tile<2xi1>
    %cst_i1_0 = constant <i1: [false, true]> : tile<2xi1>
    %3 = cat %2, %cst_i1_0 dim = 0 : tile<2xi1>, tile<2xi1> -> tile<4xi1>
    %true = constant <i1: true> : tile<4xi1>
    %4 = ori %3, %true : tile<4xi1>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[true, true, false, true]> : tensor<4xi1>}> : () -> tensor<4xi1>
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %c1_i32, %c2_i32 : i32
    %1 = "nv_tileaa.extract_slice"(%cst, %0) <{sizes = array<i64: 2>}> : (tensor<4xi1>, i32) -> tensor<2xi1>
    %2 = "nv_tileaa.extract_slice"(%1, %c0_i32) <{sizes = array<i64: 1>}> : (tensor<2xi1>, i32) -> tensor<1xi1>
    %3 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1xi1>
    %4 = "nv_tileaa.cat"(%2, %3) <{axis = 0 : i32}> : (tensor<1xi1>, tensor<1xi1>) -> tensor<2xi1>
    %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[false, true]> : tensor<2xi1>}> : () -> tensor<2xi1>
    %5 = "nv_tileaa.cat"(%4, %cst_0) <{axis = 0 : i32}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<4xi1>
    %6 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>
    %7 = arith.ori %5, %6 : tensor<4xi1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
