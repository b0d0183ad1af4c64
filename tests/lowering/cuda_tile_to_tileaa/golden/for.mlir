cuda_tile.module @kernels {
  entry @k0(%arg0: tile<bf16>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %0 = make_token : token
    %for = for unsigned %loopIdx in (%true to %true_0, step %true_1) : tile<i1> iter_values(%iterArg0 = %0) -> (token) {
      %cst_f32 = constant <f32: __elided__> : tile<1x64xf32>
      %1 = fma %cst_f32, %cst_f32, %cst_f32  : tile<1x64xf32>
      %reshape = reshape %arg0 : tile<bf16> -> tile<1x1xbf16>
      %bcast = broadcast %reshape : tile<1x1xbf16> -> tile<16x4xbf16>
      %2 = rsqrt %bcast : tile<16x4xbf16>
      if %true_0 {
        %3 = make_token : token
        continue %3 : token
      } else {
        %cst_i64 = constant <i64: [-2605137420617090860, 6211092580790422704, 5648653017185344650, -1931316731910638169]> : tile<4xi64>
        %3 = int_to_ptr %cst_i64 : tile<4xi64> -> tile<4xptr<i1>>
        %cst_f8E4M3FN = constant <f8E4M3FN: -1.171880e-02> : tile<1x8xf8E4M3FN>
        %4 = ftoi %cst_f8E4M3FN unsigned  saturating : tile<1x8xf8E4M3FN> -> tile<1x8xi8>
      }
      continue %0 : token
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (bf16) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: bf16):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %1 = arith.extui %true : i1 to i32
    %2 = arith.extui %true_0 : i1 to i32
    %3 = arith.extui %true_1 : i1 to i32
    %4 = scf.for unsigned %arg1 = %1 to %2 step %3 iter_args(%arg2 = %0) -> (!nv_tileaa.mem_token)  : i32 {
      %5 = arith.trunci %arg1 : i32 to i1
      %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<1x64xf32>}> : () -> tensor<1x64xf32>
      %6 = "nv_tileaa.fma"(%cst, %cst, %cst) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
      %7 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<1x1xbf16>
      %8 = "nv_tileaa.splat"(%arg0) : (bf16) -> tensor<16x4xbf16>
      %9 = "nv_tileaa.rsqrt"(%8) : (tensor<16x4xbf16>) -> tensor<16x4xbf16>
      %10 = scf.if %true_0 -> (!nv_tileaa.mem_token) {
        %11 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
        scf.yield %11 : !nv_tileaa.mem_token
      } else {
        %cst_2 = "nv_tileaa.constant_tensor"() <{value = dense<[-2605137420617090860, 6211092580790422704, 5648653017185344650, -1931316731910638169]> : tensor<4xi64>}> : () -> tensor<4xi64>
        %11 = "nv_tileaa.int_to_ptr"(%cst_2) : (tensor<4xi64>) -> tensor<4x!nv_tileaa.ptr<i1, 1>>
        %12 = "nv_tileaa.splat"() <{value = -1.171880e-02 : f8E4M3FN}> : () -> tensor<1x8xf8E4M3FN>
        %13 = arith.fptoui %12 {nv_tileaa.saturating} : tensor<1x8xf8E4M3FN> to tensor<1x8xi8>
        scf.yield %0 : !nv_tileaa.mem_token
      }
      scf.yield %10 : !nv_tileaa.mem_token
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E4M3FN>>) {
    %cst_0_i64 = constant <i64: 0> : tile<i64>
    %cst_1_i64 = constant <i64: 1> : tile<i64>
    %cst_1_i64_0 = constant <i64: 1> : tile<i64>
    for %loopIdx in (%cst_0_i64 to %cst_1_i64, step %cst_1_i64_0) : tile<i64> {
      %cst_f16 = constant <f16: -1.660000e+02> : tile<2x1x32x1xf16>
      %0 = exp2 %cst_f16 : tile<2x1x32x1xf16>
      %reshape = reshape %arg0 : tile<ptr<f8E4M3FN>> -> tile<1x1xptr<f8E4M3FN>>
      %bcast = broadcast %reshape : tile<1x1xptr<f8E4M3FN>> -> tile<4x16xptr<f8E4M3FN>>
      %cst_i8 = constant <i8: __elided__> : tile<4x16xi8>
      %1 = offset %bcast, %cst_i8 : tile<4x16xptr<f8E4M3FN>>, tile<4x16xi8> -> tile<4x16xptr<f8E4M3FN>>
      %bcast_1 = broadcast %1 : tile<4x16xptr<f8E4M3FN>> -> tile<4x16xptr<f8E4M3FN>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E4M3FN, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E4M3FN, 1>):
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c1_i64_0 = arith.constant 1 : i64
    scf.for %arg1 = %c0_i64 to %c1_i64 step %c1_i64_0  : i64 {
      %0 = "nv_tileaa.splat"() <{value = -1.660000e+02 : f16}> : () -> tensor<2x1x32x1xf16>
      %1 = "nv_tileaa.exp2"(%0) : (tensor<2x1x32x1xf16>) -> tensor<2x1x32x1xf16>
      %2 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> tensor<1x1x!nv_tileaa.ptr<f8E4M3FN, 1>>
      %3 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> tensor<4x16x!nv_tileaa.ptr<f8E4M3FN, 1>>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x16xi8>}> : () -> tensor<4x16xi8>
      %4 = "nv_tileaa.addptr"(%3, %cst) : (tensor<4x16x!nv_tileaa.ptr<f8E4M3FN, 1>>, tensor<4x16xi8>) -> tensor<4x16x!nv_tileaa.ptr<f8E4M3FN, 1>>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
