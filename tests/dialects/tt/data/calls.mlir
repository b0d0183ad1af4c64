module {
  tt.func public @calls(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi eq, %arg1, %c0_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %3 = tt.addptr %2, %1 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %4 = tt.load %3 : tensor<16x!tt.ptr<f32>>
    tt.print " value: " {hex = false, isSigned = array<i32: 0, 1>} : %4, %arg1 : tensor<16xf32>, i32
    %c100_i32 = arith.constant 100 : i32
    %5 = arith.cmpi slt, %arg1, %c100_i32 : i32
    %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %7 = tt.addptr %6, %1 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %8 = tt.load %arg0 : !tt.ptr<f32>
    %9 = tt.call @kernels._helper__fp32_i32(%8, %arg1) : (f32, i32) -> f32
    %10 = tt.splat %9 : f32 -> tensor<16xf32>
    tt.store %7, %10 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @kernels._helper__fp32_i32(%arg0: f32, %arg1: i32) -> f32 attributes {noinline = true} {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.cmpi sgt, %arg1, %c3_i32 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return %arg0 : f32
  ^bb2:  // pred: ^bb0
    cf.br ^bb4
  ^bb3:  // no predecessors
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    %cst = arith.constant 2.000000e+00 : f32
    %1 = arith.mulf %arg0, %cst : f32
    %2 = arith.sitofp %arg1 : i32 to f32
    %3 = arith.addf %1, %2 : f32
    tt.return %3 : f32
  ^bb5:  // no predecessors
    %4 = ub.poison : f32
    tt.return %4 : f32
  }
}
