// Reshapes, joins and splits; gathers and histograms go through memory of their own.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @shapes(
// CHECK: permute %
// CHECK: cat %
// CHECK: extract %
// CHECK-LABEL: entry @gathered(
// CHECK: alloca num_elem = 32
// CHECK: load_ptr_tko
// CHECK-LABEL: entry @counted(
// CHECK: alloca num_elem = 8
// CHECK: atomic_rmw_tko relaxed tl_blk

module {
  tt.func public @shapes(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 : tensor<16x!tt.ptr<f32>>
    %4 = tt.reshape %3 : tensor<16xf32> -> tensor<4x4xf32>
    %5 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>
    %6 = tt.join %4, %5 : tensor<4x4xf32> -> tensor<4x4x2xf32>
    %outLHS, %outRHS = tt.split %6 : tensor<4x4x2xf32> -> tensor<4x4xf32>
    %7 = tt.reshape %3 : tensor<16xf32> -> tensor<2x2x4xf32>
    %8 = tt.trans %7 {order = array<i32: 2, 0, 1>} : tensor<2x2x4xf32> -> tensor<4x2x2xf32>
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<4x4xf32>
    %9 = arith.mulf %cst_0, %outRHS : tensor<4x4xf32>
    %10 = arith.addf %outLHS, %9 : tensor<4x4xf32>
    %11 = tt.reshape %10 : tensor<4x4xf32> -> tensor<16xf32>
    %12 = tt.reshape %8 : tensor<4x2x2xf32> -> tensor<16xf32>
    %13 = tt.cat %11, %12 : tensor<16xf32> -> tensor<32xf32>
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %16, %13 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @gathered(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<4> : tensor<8x1xi32>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %2 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %4 = arith.muli %1, %cst : tensor<8x1xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %7 = tt.broadcast %6 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
    %8 = tt.broadcast %3 : tensor<1x4xi32> -> tensor<8x4xi32>
    %9 = tt.addptr %7, %8 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %10 = tt.load %9 : tensor<8x4x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<8x1x!tt.ptr<i32>>
    %12 = tt.addptr %11, %4 : tensor<8x1x!tt.ptr<i32>>, tensor<8x1xi32>
    %13 = tt.broadcast %12 : tensor<8x1x!tt.ptr<i32>> -> tensor<8x4x!tt.ptr<i32>>
    %14 = tt.addptr %13, %8 : tensor<8x4x!tt.ptr<i32>>, tensor<8x4xi32>
    %15 = tt.load %14 : tensor<8x4x!tt.ptr<i32>>
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x1x!tt.ptr<f32>>
    %17 = tt.addptr %16, %4 : tensor<8x1x!tt.ptr<f32>>, tensor<8x1xi32>
    %18 = tt.broadcast %17 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
    %19 = tt.addptr %18, %8 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %20 = tt.gather %10[%15] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<8x4xi32>) -> tensor<8x4xf32>
    tt.store %19, %20 : tensor<8x4x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @counted(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) attributes {noinline = false} {
    %cst = arith.constant dense<3> : tensor<64xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<i32>>
    %4 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %5 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %6 = tt.addptr %5, %4 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %7 = arith.cmpi ne, %3, %cst : tensor<64xi32>
    %8 = tt.histogram %3, %7 : tensor<64xi32> -> tensor<8xi32>
    tt.store %6, %8 : tensor<8x!tt.ptr<i32>>
    tt.return
  }
}
