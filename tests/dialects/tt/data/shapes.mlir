module {
  tt.func public @shapes(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 : tensor<16x!tt.ptr<f32>>
    %4 = tt.reshape %3 : tensor<16xf32> -> tensor<8x2xf32>
    %outLHS, %outRHS = tt.split %4 : tensor<8x2xf32> -> tensor<8xf32>
    %5 = tt.join %outRHS, %outLHS : tensor<8xf32> -> tensor<8x2xf32>
    %6 = tt.trans %5 {order = array<i32: 1, 0>} : tensor<8x2xf32> -> tensor<2x8xf32>
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<1> : tensor<16xi32>
    %7 = arith.xori %0, %cst : tensor<16xi32>
    %8 = tt.gather %3[%7] {axis = 0 : i32} : (tensor<16xf32>, tensor<16xi32>) -> tensor<16xf32>
    %c5_i32 = arith.constant 5 : i32
    %cst_0 = arith.constant dense<5> : tensor<16xi32>
    %9 = arith.cmpi slt, %0, %cst_0 : tensor<16xi32>
    %10 = tt.histogram %0, %9 : tensor<16xi32> -> tensor<16xi32>
    %11 = tt.cat %outLHS, %outRHS : tensor<8xf32> -> tensor<16xf32>
    %12 = tt.bitcast %3 : tensor<16xf32> -> tensor<16xi32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %14 = tt.addptr %13, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %15 = tt.reshape %6 allow_reorder : tensor<2x8xf32> -> tensor<16xf32>
    %16 = arith.addf %15, %8 : tensor<16xf32>
    %17 = arith.sitofp %10 : tensor<16xi32> to tensor<16xf32>
    %18 = arith.addf %16, %17 : tensor<16xf32>
    %19 = arith.addf %18, %11 : tensor<16xf32>
    %20 = arith.sitofp %12 : tensor<16xi32> to tensor<16xf32>
    %21 = arith.addf %19, %20 : tensor<16xf32>
    tt.store %14, %21 : tensor<16x!tt.ptr<f32>>
    %22 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %23 = tt.addptr %22, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %24 = arith.bitcast %0 : tensor<16xi32> to tensor<16xi32>
    %25 = arith.bitcast %0 : tensor<16xi32> to tensor<16xi32>
    %26 = tt.mulhiui %24, %25 : tensor<16xi32>
    %27 = arith.uitofp %26 : tensor<16xi32> to tensor<16xf32>
    tt.store %23, %27 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
