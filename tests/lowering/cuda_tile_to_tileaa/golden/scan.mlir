cuda_tile.module @kernels {
  entry @k0() {
    %cst_-958957651_i32 = constant <i32: -958957651> : tile<1x64xi32>
    %cst_i32 = constant <i32: __elided__> : tile<1x64xi32>
    %0:2 = scan %cst_-958957651_i32, %cst_i32 dim=0 reverse=true identities=[-270393953 : i32, 239940313 : i32] : tile<1x64xi32>, tile<1x64xi32> -> tile<1x64xi32>, tile<1x64xi32> 
    (%arg0: tile<i32>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>) {
      %1 = xori %arg0, %arg1 : tile<i32>
      %2 = addi %arg2, %arg3 : tile<i32>
      yield %1, %2 : tile<i32>, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -958957651 : i32}> : () -> tensor<1x64xi32>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %1:2 = "nv_tileaa.scan"(%0, %cst) <{axis = 0 : i32, inclusive = true}> ({
    ^bb0(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32):
      %2 = arith.xori %arg2, %arg0 : i32
      %3 = arith.addi %arg3, %arg1 : i32
      "nv_tileaa.yield"(%2, %3) : (i32, i32) -> ()
    }) {nv_tileaa.identities = [-270393953 : i32, 239940313 : i32], nv_tileaa.reverse} : (tensor<1x64xi32>, tensor<1x64xi32>) -> (tensor<1x64xi32>, tensor<1x64xi32>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f64>) {
    %reshape = reshape %arg0 : tile<f64> -> tile<1x1x1xf64>
    %bcast = broadcast %reshape : tile<1x1x1xf64> -> tile<32x1x2xf64>
    %0 = scan %bcast dim=2 reverse=true identities=[-1.759367170772908E+39] : tile<32x1x2xf64> -> tile<32x1x2xf64> 
    (%arg1: tile<f64>, %arg2: tile<f64>) {
      %cst_-1467250385_i32 = constant <i32: -1467250385> : tile<i32>
      %1 = fpowi %arg0, %cst_-1467250385_i32 : tile<f64>, tile<i32>
      %2 = maxf %arg1, %arg2 : tile<f64>
      yield %2 : tile<f64>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f64):
    %0 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<1x1x1xf64>
    %1 = "nv_tileaa.splat"(%arg0) : (f64) -> tensor<32x1x2xf64>
    %2 = "nv_tileaa.scan"(%1) <{axis = 2 : i32, inclusive = true}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %c-1467250385_i32 = arith.constant -1467250385 : i32
      %3 = math.fpowi %arg0, %c-1467250385_i32 : f64, i32
      %4 = arith.maxnumf %arg2, %arg1 : f64
      "nv_tileaa.yield"(%4) : (f64) -> ()
    }) {nv_tileaa.identities = [-1.759367170772908E+39], nv_tileaa.reverse} : (tensor<32x1x2xf64>) -> tensor<32x1x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
