cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>, %arg1: tile<f32>, %arg2: tile<fnv8E5M3FNU>) {
    %true = constant <i1: true> : tile<i1>
    %0:2 = if %true -> (tile<2x4x1x2xf32>, tile<4x1x2xfnv8E5M3FNU>) {
      %cst_5_f8E4M3FN = constant <f8E4M3FN: 5.000000e+00> : tile<1x16xf8E4M3FN>
      %1 = scan %cst_5_f8E4M3FN dim=0 reverse=true identities=[3.200000e+02 : f8E4M3FN] : tile<1x16xf8E4M3FN> -> tile<1x16xf8E4M3FN> 
      (%arg3: tile<f8E4M3FN>, %arg4: tile<f8E4M3FN>) {
        %reshape_2 = reshape %arg0 : tile<f16> -> tile<1x1x1x1xf16>
        %bcast_3 = broadcast %reshape_2 : tile<1x1x1x1xf16> -> tile<1x32x2x1xf16>
        %cst_f16 = constant <f16: -3.029300e+00> : tile<1x32x2x1xf16>
        %2 = remf %bcast_3, %cst_f16 : tile<1x32x2x1xf16>
        yield %arg3 : tile<f8E4M3FN>
      }
      %reshape = reshape %arg1 : tile<f32> -> tile<1x1x1x1xf32>
      %bcast = broadcast %reshape : tile<1x1x1x1xf32> -> tile<2x4x1x2xf32>
      %reshape_0 = reshape %arg2 : tile<fnv8E5M3FNU> -> tile<1x1x1xfnv8E5M3FNU>
      %bcast_1 = broadcast %reshape_0 : tile<1x1x1xfnv8E5M3FNU> -> tile<4x1x2xfnv8E5M3FNU>
      yield %bcast, %bcast_1 : tile<2x4x1x2xf32>, tile<4x1x2xfnv8E5M3FNU>
    } else {
      %cst_f32 = constant <f32: 3.74488649E-4> : tile<2x4x1x2xf32>
      %cst_fnv8E5M3FNU = constant <fnv8E5M3FNU: [[[3.000000e+01, 1.464840e-03]], [[2.288820e-05, 9.600000e+02]], [[1.953130e-02, 6.400000e+02]], [[1.342770e-03, 6.875000e-01]]]> : tile<4x1x2xfnv8E5M3FNU>
      yield %cst_f32, %cst_fnv8E5M3FNU : tile<2x4x1x2xf32>, tile<4x1x2xfnv8E5M3FNU>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16, f32, fnv8E5M3FNU) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16, %arg1: f32, %arg2: fnv8E5M3FNU):
    %true = arith.constant true
    %0:2 = scf.if %true -> (tensor<2x4x1x2xf32>, tensor<4x1x2xfnv8E5M3FNU>) {
      %1 = "nv_tileaa.splat"() <{value = 5.000000e+00 : f8E4M3FN}> : () -> tensor<1x16xf8E4M3FN>
      %2 = "nv_tileaa.scan"(%1) <{axis = 0 : i32, inclusive = true}> ({
      ^bb0(%arg3: f8E4M3FN, %arg4: f8E4M3FN):
        %7 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x1x1x1xf16>
        %8 = "nv_tileaa.splat"(%arg0) : (f16) -> tensor<1x32x2x1xf16>
        %9 = "nv_tileaa.splat"() <{value = -3.029300e+00 : f16}> : () -> tensor<1x32x2x1xf16>
        %10 = arith.remf %8, %9 : tensor<1x32x2x1xf16>
        "nv_tileaa.yield"(%arg4) : (f8E4M3FN) -> ()
      }) {nv_tileaa.identities = [3.200000e+02 : f8E4M3FN], nv_tileaa.reverse} : (tensor<1x16xf8E4M3FN>) -> tensor<1x16xf8E4M3FN>
      %3 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<1x1x1x1xf32>
      %4 = "nv_tileaa.splat"(%arg1) : (f32) -> tensor<2x4x1x2xf32>
      %5 = "nv_tileaa.splat"(%arg2) : (fnv8E5M3FNU) -> tensor<1x1x1xfnv8E5M3FNU>
      %6 = "nv_tileaa.splat"(%arg2) : (fnv8E5M3FNU) -> tensor<4x1x2xfnv8E5M3FNU>
      scf.yield %4, %6 : tensor<2x4x1x2xf32>, tensor<4x1x2xfnv8E5M3FNU>
    } else {
      %1 = "nv_tileaa.splat"() <{value = 3.74488649E-4 : f32}> : () -> tensor<2x4x1x2xf32>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[3.000000e+01, 1.464840e-03]], [[2.288820e-05, 9.600000e+02]], [[1.953130e-02, 6.400000e+02]], [[1.342770e-03, 6.875000e-01]]]> : tensor<4x1x2xfnv8E5M3FNU>}> : () -> tensor<4x1x2xfnv8E5M3FNU>
      scf.yield %1, %cst : tensor<2x4x1x2xf32>, tensor<4x1x2xfnv8E5M3FNU>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E4M3FN>>) {
    %true = constant <i1: true> : tile<i1>
    if %true {
      %cst_i8 = constant <i8: [-97, -45]> : tile<2xi8>
      %0 = trunci %cst_i8 : tile<2xi8> -> tile<2xi4>
      %1 = pack %0 : tile<2xi4> -> tile<1xi8>
    } else {
      %cst_bf16 = constant <bf16: __elided__> : tile<32xbf16>
      %0 = log %cst_bf16 : tile<32xbf16>
      %reshape = reshape %arg0 : tile<ptr<f8E4M3FN>> -> tile<1x1xptr<f8E4M3FN>>
      %bcast = broadcast %reshape : tile<1x1xptr<f8E4M3FN>> -> tile<4x2xptr<f8E4M3FN>>
      %cst_i8 = constant <i8: [[44, 50], [7, 6], [16, 2], [57, 23]]> : tile<4x2xi8>
      %1 = offset %bcast, %cst_i8 : tile<4x2xptr<f8E4M3FN>>, tile<4x2xi8> -> tile<4x2xptr<f8E4M3FN>>
      %2 = ptr_to_ptr %1 : tile<4x2xptr<f8E4M3FN>> -> tile<4x2xptr<f8E8M0FNU>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E4M3FN, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E4M3FN, 1>):
    %true = arith.constant true
    scf.if %true {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-97, -45]> : tensor<2xi8>}> : () -> tensor<2xi8>
      %0 = arith.trunci %cst : tensor<2xi8> to tensor<2xi4>
      %1 = "nv_tileaa.expand_dims"(%0) <{axis = 0 : i32}> : (tensor<2xi4>) -> tensor<1x2xi4>
      %2 = arith.extui %1 : tensor<1x2xi4> to tensor<1x2xi8>
      %c0_i8 = arith.constant 0 : i8
      %c2_i8 = arith.constant 2 : i8
      %3 = "nv_tileaa.make_range"(%c0_i8, %c2_i8) : (i8, i8) -> tensor<2xi8>
      %4 = "nv_tileaa.splat"() <{value = 4 : i8}> : () -> tensor<2xi8>
      %5 = arith.muli %3, %4 : tensor<2xi8>
      %6 = "nv_tileaa.expand_dims"(%5) <{axis = 0 : i32}> : (tensor<2xi8>) -> tensor<1x2xi8>
      %7 = arith.shli %2, %6 : tensor<1x2xi8>
      %8 = "nv_tileaa.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg1: i8, %arg2: i8):
        %9 = arith.ori %arg1, %arg2 : i8
        "nv_tileaa.yield"(%9) : (i8) -> ()
      }) : (tensor<1x2xi8>) -> tensor<1xi8>
    } else {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<32xbf16>}> : () -> tensor<32xbf16>
      %0 = math.log %cst : tensor<32xbf16>
      %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> tensor<1x1x!nv_tileaa.ptr<f8E4M3FN, 1>>
      %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> tensor<4x2x!nv_tileaa.ptr<f8E4M3FN, 1>>
      %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[[44, 50], [7, 6], [16, 2], [57, 23]]> : tensor<4x2xi8>}> : () -> tensor<4x2xi8>
      %3 = "nv_tileaa.addptr"(%2, %cst_0) : (tensor<4x2x!nv_tileaa.ptr<f8E4M3FN, 1>>, tensor<4x2xi8>) -> tensor<4x2x!nv_tileaa.ptr<f8E4M3FN, 1>>
      %4 = "nv_tileaa.bitcast"(%3) : (tensor<4x2x!nv_tileaa.ptr<f8E4M3FN, 1>>) -> tensor<4x2x!nv_tileaa.ptr<f8E8M0FNU, 1>>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
