cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    loop iter_values(%arg0 = %cst_0_i32) : tile<i32> {
      %true = constant <i1: true> : tile<2x1xi1>
      %0 = bitcast %true : tile<2x1xi1> -> tile<2x1xi1>
      %cst_1_i32 = constant <i32: 1> : tile<i32>
      %1 = addi %arg0, %cst_1_i32 : tile<i32>
      %cst_3_i32 = constant <i32: 3> : tile<i32>
      %2 = cmpi less_than %1, %cst_3_i32, signed : tile<i32> -> tile<i1>
      if %2 {
        continue %1 : tile<i32>
      } else {
        break
      }
      continue %1 : tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.while (%arg0 = %c0_i32) : (i32) -> i32 {
      %1 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2x1xi1>
      %2 = "nv_tileaa.bitcast"(%1) : (tensor<2x1xi1>) -> tensor<2x1xi1>
      %c1_i32 = arith.constant 1 : i32
      %3 = arith.addi %arg0, %c1_i32 : i32
      %c3_i32 = arith.constant 3 : i32
      %4 = arith.cmpi slt, %3, %c3_i32 : i32
      %5:2 = scf.if %4 -> (i1, i32) {
        %true = arith.constant true
        scf.yield %true, %3 : i1, i32
      } else {
        %6 = ub.poison : i32
        %false = arith.constant false
        scf.yield %false, %6 : i1, i32
      }
      scf.condition(%5#0) %5#1 : i32
    } do {
    ^bb0(%arg0: i32):
      scf.yield %arg0 : i32
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>, %arg1: tile<ptr<i64>>, %arg2: tile<i1>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %0 = make_token : token
    %1 = loop iter_values(%arg3 = %cst_1_i32, %arg4 = %0, %arg5 = %arg0) : tile<i32>, token, tile<i32> -> tile<4x1xi1> {
      %cst_f64 = constant <f64: [-1.5905398837407014E+97, 5.7084609522681234E+286, -7.5004803150659629E-248, 1.0561991512522715E-129, -3.3992820960471152E+102, 6.2607402037324459E-84, 1.2314988001346063E-50, 6.1725322206262311E-116]> : tile<8xf64>
      %2 = absf %cst_f64 : tile<8xf64>
      %cst_i1 = constant <i1: [false, true, false, true, false, true, true, false]> : tile<8xi1>
      %reshape = reshape %arg1 : tile<ptr<i64>> -> tile<1xptr<i64>>
      %bcast = broadcast %reshape : tile<1xptr<i64>> -> tile<8xptr<i64>>
      %cst_i32 = constant <i32: [62, 50, 29, 4, 31, 45, 13, 35]> : tile<8xi32>
      %3 = offset %bcast, %cst_i32 : tile<8xptr<i64>>, tile<8xi32> -> tile<8xptr<i64>>
      %cst_-1659669177918728777_i64 = constant <i64: -1659669177918728777> : tile<8xi64>
      %4 = make_token : token
      %result, %result_token = atomic_cas_tko acquire device %3, %cst_-1659669177918728777_i64, %cst_-1659669177918728777_i64, %cst_i1 token=%4 : tile<8xptr<i64>>, tile<8xi64>, tile<8xi1> -> tile<8xi64>, token
      %cst_1_i32_0 = constant <i32: 1> : tile<i32>
      %5 = addi %arg3, %cst_1_i32_0 : tile<i32>
      %cst_2_i32 = constant <i32: 2> : tile<i32>
      %6 = cmpi less_than %5, %cst_2_i32, signed : tile<i32> -> tile<i1>
      if %6 {
        %7 = make_token : token
        continue %5, %7, %arg0 : tile<i32>, token, tile<i32>
      } else {
        %reshape_1 = reshape %arg2 : tile<i1> -> tile<1x1xi1>
        %bcast_2 = broadcast %reshape_1 : tile<1x1xi1> -> tile<4x1xi1>
        break %bcast_2 : tile<4x1xi1>
      }
      continue %5, %0, %cst_2_i32 : tile<i32>, token, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32, !nv_tileaa.ptr<i64, 1>, i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32, %arg1: !nv_tileaa.ptr<i64, 1>, %arg2: i1):
    %c1_i32 = arith.constant 1 : i32
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %1:4 = scf.while (%arg3 = %c1_i32, %arg4 = %0, %arg5 = %arg0) : (i32, !nv_tileaa.mem_token, i32) -> (tensor<4x1xi1>, i32, !nv_tileaa.mem_token, i32) {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-1.5905398837407014E+97, 5.7084609522681234E+286, -7.5004803150659629E-248, 1.0561991512522715E-129, -3.3992820960471152E+102, 6.2607402037324459E-84, 1.2314988001346063E-50, 6.1725322206262311E-116]> : tensor<8xf64>}> : () -> tensor<8xf64>
      %2 = math.absf %cst : tensor<8xf64>
      %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[false, true, false, true, false, true, true, false]> : tensor<8xi1>}> : () -> tensor<8xi1>
      %3 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<i64, 1>) -> tensor<1x!nv_tileaa.ptr<i64, 1>>
      %4 = "nv_tileaa.splat"(%arg1) : (!nv_tileaa.ptr<i64, 1>) -> tensor<8x!nv_tileaa.ptr<i64, 1>>
      %cst_1 = "nv_tileaa.constant_tensor"() <{value = dense<[62, 50, 29, 4, 31, 45, 13, 35]> : tensor<8xi32>}> : () -> tensor<8xi32>
      %5 = "nv_tileaa.addptr"(%4, %cst_1) : (tensor<8x!nv_tileaa.ptr<i64, 1>>, tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<i64, 1>>
      %6 = "nv_tileaa.splat"() <{value = -1659669177918728777 : i64}> : () -> tensor<8xi64>
      %7 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      %old, %token = "nv_tileaa.atomic_cas"(%5, %6, %6, %cst_0, %7) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}> : (tensor<8x!nv_tileaa.ptr<i64, 1>>, tensor<8xi64>, tensor<8xi64>, tensor<8xi1>, !nv_tileaa.mem_token) -> (tensor<8xi64>, !nv_tileaa.mem_token)
      %c1_i32_2 = arith.constant 1 : i32
      %8 = arith.addi %arg3, %c1_i32_2 : i32
      %c2_i32 = arith.constant 2 : i32
      %9 = arith.cmpi slt, %8, %c2_i32 : i32
      %10:5 = scf.if %9 -> (i1, tensor<4x1xi1>, i32, !nv_tileaa.mem_token, i32) {
        %11 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
        %12 = ub.poison : tensor<4x1xi1>
        %true = arith.constant true
        scf.yield %true, %12, %8, %11, %arg0 : i1, tensor<4x1xi1>, i32, !nv_tileaa.mem_token, i32
      } else {
        %11 = "nv_tileaa.splat"(%arg2) : (i1) -> tensor<1x1xi1>
        %12 = "nv_tileaa.splat"(%arg2) : (i1) -> tensor<4x1xi1>
        %13 = ub.poison : i32
        %14 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
        %15 = ub.poison : i32
        %false = arith.constant false
        scf.yield %false, %12, %13, %14, %15 : i1, tensor<4x1xi1>, i32, !nv_tileaa.mem_token, i32
      }
      scf.condition(%10#0) %10#1, %10#2, %10#3, %10#4 : tensor<4x1xi1>, i32, !nv_tileaa.mem_token, i32
    } do {
    ^bb0(%arg3: tensor<4x1xi1>, %arg4: i32, %arg5: !nv_tileaa.mem_token, %arg6: i32):
      scf.yield %arg4, %arg5, %arg6 : i32, !nv_tileaa.mem_token, i32
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
