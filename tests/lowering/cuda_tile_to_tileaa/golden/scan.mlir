cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %cst_-2_i32 = constant <i32: -2> : tile<1x64xi32>
    %0:2 = scan %cst_-2_i32, %cst_-2_i32 dim=0 reverse=true identities=[-1242825255 : i32, 2107042716 : i32] : tile<1x64xi32>, tile<1x64xi32> -> tile<1x64xi32>, tile<1x64xi32> 
    (%arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>) {
      %reshape = reshape %arg0 : tile<i64> -> tile<1xi64>
      %bcast = broadcast %reshape : tile<1xi64> -> tile<16xi64>
      %1 = andi %bcast, %bcast : tile<16xi64>
      %2 = ori %arg1, %arg2 : tile<i32>
      %3 = muli %arg3, %arg4 : tile<i32>
      yield %2, %3 : tile<i32>, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %0 = "nv_tileaa.splat"() <{value = -2 : i32}> : () -> tensor<1x64xi32>
    %1:2 = "nv_tileaa.scan"(%0, %0) <{axis = 0 : i32, inclusive = true, reverse}> ({
    ^bb0(%arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32):
      %2 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<1xi64>
      %3 = "nv_tileaa.splat"(%arg0) : (i64) -> tensor<16xi64>
      %4 = arith.andi %3, %3 : tensor<16xi64>
      %5 = arith.ori %arg3, %arg1 : i32
      %6 = arith.muli %arg4, %arg2 : i32
      "nv_tileaa.yield"(%5, %6) : (i32, i32) -> ()
    }) : (tensor<1x64xi32>, tensor<1x64xi32>) -> (tensor<1x64xi32>, tensor<1x64xi32>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32, <none>>>) {
    %cst_f64 = constant <f64: __elided__> : tile<32x1x2xf64>
    %0 = scan %cst_f64 dim=2 reverse=true identities=[2.2250738585072009E-308] : tile<32x1x2xf64> -> tile<32x1x2xf64> 
    (%arg1: tile<f64>, %arg2: tile<f64>) {
      %cst_55_i32 = constant <i32: 55> : tile<i32>
      %1 = offset %arg0, %cst_55_i32 : tile<ptr<i32, <none>>>, tile<i32> -> tile<ptr<i32, <none>>>
      %2 = mulf %arg1, %arg2  : tile<f64>
      yield %2 : tile<f64>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1x2xf64>}> : () -> tensor<32x1x2xf64>
    %0 = "nv_tileaa.scan"(%cst) <{axis = 2 : i32, inclusive = true, reverse}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %c55_i32 = arith.constant 55 : i32
      %1 = "nv_tileaa.addptr"(%arg0, %c55_i32) : (!nv_tileaa.ptr<i32, 1>, i32) -> !nv_tileaa.ptr<i32, 1>
      %2 = "nv_tileaa.mulf"(%arg2, %arg1) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (f64, f64) -> f64
      "nv_tileaa.yield"(%2) : (f64) -> ()
    }) : (tensor<32x1x2xf64>) -> tensor<32x1x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
