cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    loop iter_values(%arg0 = %cst_0_i32) : tile<i32> {
      %true = constant <i1: true> : tile<2x1xi1>
      %0 = bitcast %true : tile<2x1xi1> -> tile<2x1xi1>
      %cst_1_i32 = constant <i32: 1> : tile<i32>
      %1 = addi %arg0, %cst_1_i32 : tile<i32>
      %cst_2_i32 = constant <i32: 2> : tile<i32>
      %2 = cmpi less_than %1, %cst_2_i32, signed : tile<i32> -> tile<i1>
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
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.while (%arg0 = %c0_i32) : (i32) -> i32 {
      %1 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<2x1xi1>
      %2 = "nv_tileaa.bitcast"(%1) : (tensor<2x1xi1>) -> tensor<2x1xi1>
      %c1_i32 = arith.constant 1 : i32
      %3 = arith.addi %arg0, %c1_i32 : i32
      %c2_i32 = arith.constant 2 : i32
      %4 = arith.cmpi slt, %3, %c2_i32 : i32
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
  entry @k0() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %0 = make_token : token
    %cst_f32 = constant <f32: [-2.47723397E-31, -3.18066273E+21, 1.45220569E-16, -2.78719704E+17]> : tile<4xf32>
    %1:2 = loop iter_values(%arg0 = %cst_1_i32, %arg1 = %0, %arg2 = %cst_f32) : tile<i32>, token, tile<4xf32> -> tile<8x2x1x1xf4E2M1FN>, tile<8xf32> {
      %cst_1_i32_0 = constant <i32: 1> : tile<i32>
      %2 = addi %arg0, %cst_1_i32_0 : tile<i32>
      %cst_2_i32 = constant <i32: 2> : tile<i32>
      %3 = cmpi less_than %2, %cst_2_i32, signed : tile<i32> -> tile<i1>
      if %3 {
        continue %2, %arg1, %cst_f32 : tile<i32>, token, tile<4xf32>
      } else {
        %cst_f4E2M1FN = constant <f4E2M1FN: __elided__> : tile<8x2x1x1xf4E2M1FN>
        %cst_f32_1 = constant <f32: -9.8140291E+11> : tile<8xf32>
        break %cst_f4E2M1FN, %cst_f32_1 : tile<8x2x1x1xf4E2M1FN>, tile<8xf32>
      }
      %4 = make_token : token
      continue %2, %4, %arg2 : tile<i32>, token, tile<4xf32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c1_i32 = arith.constant 1 : i32
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-2.47723397E-31, -3.18066273E+21, 1.45220569E-16, -2.78719704E+17]> : tensor<4xf32>}> : () -> tensor<4xf32>
    %1:5 = scf.while (%arg0 = %c1_i32, %arg1 = %0, %arg2 = %cst) : (i32, !nv_tileaa.mem_token, tensor<4xf32>) -> (tensor<8x2x1x1xf4E2M1FN>, tensor<8xf32>, i32, !nv_tileaa.mem_token, tensor<4xf32>) {
      %c1_i32_0 = arith.constant 1 : i32
      %2 = arith.addi %arg0, %c1_i32_0 : i32
      %c2_i32 = arith.constant 2 : i32
      %3 = arith.cmpi slt, %2, %c2_i32 : i32
      %4:6 = scf.if %3 -> (i1, tensor<8x2x1x1xf4E2M1FN>, tensor<8xf32>, i32, !nv_tileaa.mem_token, tensor<4xf32>) {
        %5 = ub.poison : tensor<8x2x1x1xf4E2M1FN>
        %6 = ub.poison : tensor<8xf32>
        %true = arith.constant true
        scf.yield %true, %5, %6, %2, %arg1, %cst : i1, tensor<8x2x1x1xf4E2M1FN>, tensor<8xf32>, i32, !nv_tileaa.mem_token, tensor<4xf32>
      } else {
        %cst_1 = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<8x2x1x1xf4E2M1FN>}> : () -> tensor<8x2x1x1xf4E2M1FN>
        %5 = "nv_tileaa.splat"() <{value = -9.8140291E+11 : f32}> : () -> tensor<8xf32>
        %6 = ub.poison : i32
        %7 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
        %8 = ub.poison : tensor<4xf32>
        %false = arith.constant false
        scf.yield %false, %cst_1, %5, %6, %7, %8 : i1, tensor<8x2x1x1xf4E2M1FN>, tensor<8xf32>, i32, !nv_tileaa.mem_token, tensor<4xf32>
      }
      scf.condition(%4#0) %4#1, %4#2, %4#3, %4#4, %4#5 : tensor<8x2x1x1xf4E2M1FN>, tensor<8xf32>, i32, !nv_tileaa.mem_token, tensor<4xf32>
    } do {
    ^bb0(%arg0: tensor<8x2x1x1xf4E2M1FN>, %arg1: tensor<8xf32>, %arg2: i32, %arg3: !nv_tileaa.mem_token, %arg4: tensor<4xf32>):
      scf.yield %arg2, %arg3, %arg4 : i32, !nv_tileaa.mem_token, tensor<4xf32>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
