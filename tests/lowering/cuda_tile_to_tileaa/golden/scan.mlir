cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f32, <unicast>>>) {
    %cst_-1373015631_i32 = constant <i32: -1373015631> : tile<1x64xi32>
    %0:2 = scan %cst_-1373015631_i32, %cst_-1373015631_i32 dim=0 reverse=true identities=[-1967011708 : i32, -1267331450 : i32] : tile<1x64xi32>, tile<1x64xi32> -> tile<1x64xi32>, tile<1x64xi32> 
    (%arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>) {
      %reshape = reshape %arg0 : tile<ptr<f32, <unicast>>> -> tile<1x1x1x1xptr<f32, <unicast>>>
      %bcast = broadcast %reshape : tile<1x1x1x1xptr<f32, <unicast>>> -> tile<1x1x2x8xptr<f32, <unicast>>>
      %cst_i8 = constant <i8: __elided__> : tile<1x1x2x8xi8>
      %1 = offset %bcast, %cst_i8 : tile<1x1x2x8xptr<f32, <unicast>>>, tile<1x1x2x8xi8> -> tile<1x1x2x8xptr<f32, <unicast>>>
      %reshape_0 = reshape %1 : tile<1x1x2x8xptr<f32, <unicast>>> -> tile<16x1x1xptr<f32, <unicast>>>
      %2 = xori %arg1, %arg2 : tile<i32>
      %3 = addi %arg3, %arg4 : tile<i32>
      yield %2, %3 : tile<i32>, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f32, 1>):
    %0 = "nv_tileaa.splat"() <{value = -1373015631 : i32}> : () -> tensor<1x64xi32>
    %1:2 = "nv_tileaa.scan"(%0, %0) <{axis = 0 : i32, inclusive = true}> ({
    ^bb0(%arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32):
      %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x1x1x1x!nv_tileaa.ptr<f32, 1>>
      %3 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f32, 1>) -> tensor<1x1x2x8x!nv_tileaa.ptr<f32, 1>>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x1x2x8xi8>}> : () -> tensor<1x1x2x8xi8>
      %4 = "nv_tileaa.addptr"(%3, %cst) : (tensor<1x1x2x8x!nv_tileaa.ptr<f32, 1>>, tensor<1x1x2x8xi8>) -> tensor<1x1x2x8x!nv_tileaa.ptr<f32, 1>>
      %5 = "nv_tileaa.view"(%4) : (tensor<1x1x2x8x!nv_tileaa.ptr<f32, 1>>) -> tensor<16x1x1x!nv_tileaa.ptr<f32, 1>>
      %6 = arith.xori %arg3, %arg1 : i32
      %7 = arith.addi %arg4, %arg2 : i32
      "nv_tileaa.yield"(%6, %7) : (i32, i32) -> ()
    }) {nv_tileaa.identities = [-1967011708 : i32, -1267331450 : i32], nv_tileaa.reverse} : (tensor<1x64xi32>, tensor<1x64xi32>) -> (tensor<1x64xi32>, tensor<1x64xi32>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %cst_f64 = constant <f64: __elided__> : tile<32x1x2xf64>
    %0 = scan %cst_f64 dim=2 reverse=true identities=[-1.0039925817096711E-290] : tile<32x1x2xf64> -> tile<32x1x2xf64> 
    (%arg1: tile<f64>, %arg2: tile<f64>) {
      %true = constant <i1: true> : tile<2xi1>
      %reshape = reshape %arg0 : tile<bf16> -> tile<1xbf16>
      %bcast = broadcast %reshape : tile<1xbf16> -> tile<2xbf16>
      %1 = select %true, %bcast, %bcast : tile<2xi1>, tile<2xbf16>
      %2 = addf %arg1, %arg2  : tile<f64>
      yield %2 : tile<f64>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32x1x2xf64>}> : () -> tensor<32x1x2xf64>
    %0 = "nv_tileaa.scan"(%cst) <{axis = 2 : i32, inclusive = true}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %1 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2xi1>
      %2 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1xbf16>
      %3 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<2xbf16>
      %4 = arith.select %1, %3, %3 : tensor<2xi1>, tensor<2xbf16>
      %5 = "nv_tileaa.addf"(%arg2, %arg1) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (f64, f64) -> f64
      "nv_tileaa.yield"(%5) : (f64) -> ()
    }) {nv_tileaa.identities = [-1.0039925817096711E-290], nv_tileaa.reverse} : (tensor<32x1x2xf64>) -> tensor<32x1x2xf64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
