// Products, with pointers that a loop carries, and with factors for blocks.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @matmul(
// CHECK: for %
// CHECK: mmaf %
// CHECK-LABEL: entry @scaled(
// CHECK: unpack %
// CHECK: mmaf %

module {
  tt.func public @matmul(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {noinline = false} {
    %c15_i32 = arith.constant 15 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<16> : tensor<16x16xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.splat %1 : i32 -> tensor<16xi32>
    %4 = arith.addi %3, %2 : tensor<16xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c16_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<16xi32>
    %8 = arith.addi %7, %2 : tensor<16xi32>
    %9 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %10 = tt.splat %arg5 : i32 -> tensor<16x1xi32>
    %11 = arith.muli %9, %10 : tensor<16x1xi32>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %13 = tt.addptr %12, %11 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %14 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %15 = tt.broadcast %13 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %16 = tt.broadcast %14 : tensor<1x16xi32> -> tensor<16x16xi32>
    %17 = tt.addptr %15, %16 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %18 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %19 = tt.splat %arg4 : i32 -> tensor<16x1xi32>
    %20 = arith.muli %18, %19 : tensor<16x1xi32>
    %21 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %23 = tt.expand_dims %8 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %24 = tt.broadcast %22 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %25 = tt.broadcast %23 : tensor<1x16xi32> -> tensor<16x16xi32>
    %26 = tt.addptr %24, %25 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %27 = arith.addi %arg5, %c15_i32 : i32
    %28 = arith.divsi %27, %c16_i32 : i32
    %29:3 = scf.for %arg6 = %c0_i32 to %28 step %c1_i32 iter_args(%arg7 = %17, %arg8 = %26, %arg9 = %cst_0) -> (tensor<16x16x!tt.ptr<f32>>, tensor<16x16x!tt.ptr<f32>>, tensor<16x16xf32>)  : i32 {
      %42 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
      %43 = arith.cmpi slt, %9, %42 : tensor<16x1xi32>
      %44 = arith.muli %arg6, %c16_i32 : i32
      %45 = arith.subi %arg5, %44 : i32
      %46 = tt.splat %45 : i32 -> tensor<1x16xi32>
      %47 = arith.cmpi slt, %14, %46 : tensor<1x16xi32>
      %48 = tt.broadcast %43 : tensor<16x1xi1> -> tensor<16x16xi1>
      %49 = tt.broadcast %47 : tensor<1x16xi1> -> tensor<16x16xi1>
      %50 = arith.andi %48, %49 : tensor<16x16xi1>
      %51 = tt.load %arg7, %50, %cst_0 : tensor<16x16x!tt.ptr<f32>>
      %52 = tt.splat %arg4 : i32 -> tensor<1x16xi32>
      %53 = arith.cmpi slt, %23, %52 : tensor<1x16xi32>
      %54 = tt.splat %45 : i32 -> tensor<16x1xi32>
      %55 = arith.cmpi slt, %18, %54 : tensor<16x1xi32>
      %56 = tt.broadcast %53 : tensor<1x16xi1> -> tensor<16x16xi1>
      %57 = tt.broadcast %55 : tensor<16x1xi1> -> tensor<16x16xi1>
      %58 = arith.andi %56, %57 : tensor<16x16xi1>
      %59 = tt.load %arg8, %58, %cst_0 : tensor<16x16x!tt.ptr<f32>>
      %60 = tt.dot %51, %59, %arg9, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
      %61 = tt.addptr %arg7, %cst : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %62 = arith.muli %arg4, %c16_i32 : i32
      %63 = tt.splat %62 : i32 -> tensor<16x16xi32>
      %64 = tt.addptr %arg8, %63 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      scf.yield %61, %64, %60 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16x!tt.ptr<f32>>, tensor<16x16xf32>
    }
    %30 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
    %31 = arith.cmpi slt, %9, %30 : tensor<16x1xi32>
    %32 = tt.splat %arg4 : i32 -> tensor<1x16xi32>
    %33 = arith.cmpi slt, %23, %32 : tensor<1x16xi32>
    %34 = tt.broadcast %31 : tensor<16x1xi1> -> tensor<16x16xi1>
    %35 = tt.broadcast %33 : tensor<1x16xi1> -> tensor<16x16xi1>
    %36 = arith.andi %34, %35 : tensor<16x16xi1>
    %37 = arith.muli %9, %19 : tensor<16x1xi32>
    %38 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %39 = tt.addptr %38, %37 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %40 = tt.broadcast %39 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %41 = tt.addptr %40, %25 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %41, %29#2, %36 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @scaled(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f8E5M2>, %arg3: !tt.ptr<i8>, %arg4: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<16x1xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %cst_1 = arith.constant dense<2> : tensor<16x1xi32>
    %cst_2 = arith.constant dense<16> : tensor<64x1xi32>
    %cst_3 = arith.constant dense<32> : tensor<16x1xi32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %4 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %5 = arith.muli %4, %cst_3 : tensor<16x1xi32>
    %6 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<16x1x!tt.ptr<i8>>
    %7 = tt.addptr %6, %5 : tensor<16x1x!tt.ptr<i8>>, tensor<16x1xi32>
    %8 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %9 = tt.broadcast %7 : tensor<16x1x!tt.ptr<i8>> -> tensor<16x32x!tt.ptr<i8>>
    %10 = tt.broadcast %8 : tensor<1x32xi32> -> tensor<16x32xi32>
    %11 = tt.addptr %9, %10 : tensor<16x32x!tt.ptr<i8>>, tensor<16x32xi32>
    %12 = tt.load %11 : tensor<16x32x!tt.ptr<i8>>
    %13 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %14 = arith.muli %13, %cst_2 : tensor<64x1xi32>
    %15 = tt.splat %arg2 : !tt.ptr<f8E5M2> -> tensor<64x1x!tt.ptr<f8E5M2>>
    %16 = tt.addptr %15, %14 : tensor<64x1x!tt.ptr<f8E5M2>>, tensor<64x1xi32>
    %17 = tt.expand_dims %0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %18 = tt.broadcast %16 : tensor<64x1x!tt.ptr<f8E5M2>> -> tensor<64x16x!tt.ptr<f8E5M2>>
    %19 = tt.broadcast %17 : tensor<1x16xi32> -> tensor<64x16xi32>
    %20 = tt.addptr %18, %19 : tensor<64x16x!tt.ptr<f8E5M2>>, tensor<64x16xi32>
    %21 = tt.load %20 : tensor<64x16x!tt.ptr<f8E5M2>>
    %22 = arith.muli %4, %cst_1 : tensor<16x1xi32>
    %23 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<16x1x!tt.ptr<i8>>
    %24 = tt.addptr %23, %22 : tensor<16x1x!tt.ptr<i8>>, tensor<16x1xi32>
    %25 = tt.expand_dims %3 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %26 = tt.broadcast %24 : tensor<16x1x!tt.ptr<i8>> -> tensor<16x2x!tt.ptr<i8>>
    %27 = tt.broadcast %25 : tensor<1x2xi32> -> tensor<16x2xi32>
    %28 = tt.addptr %26, %27 : tensor<16x2x!tt.ptr<i8>>, tensor<16x2xi32>
    %29 = tt.load %28 : tensor<16x2x!tt.ptr<i8>>
    %30 = tt.splat %arg3 : !tt.ptr<i8> -> tensor<16x1x!tt.ptr<i8>>
    %31 = tt.addptr %30, %22 : tensor<16x1x!tt.ptr<i8>>, tensor<16x1xi32>
    %32 = tt.broadcast %31 : tensor<16x1x!tt.ptr<i8>> -> tensor<16x2x!tt.ptr<i8>>
    %33 = tt.addptr %32, %27 : tensor<16x2x!tt.ptr<i8>>, tensor<16x2xi32>
    %34 = tt.load %33 : tensor<16x2x!tt.ptr<i8>>
    %35 = tt.dot_scaled %12 scale %29, %21 scale %34, %cst_0 lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<16x32xi8>, tensor<16x2xi8> * tensor<64x16xf8E5M2>, tensor<16x2xi8> -> tensor<16x16xf32>
    %36 = arith.muli %4, %cst : tensor<16x1xi32>
    %37 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %38 = tt.addptr %37, %36 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %39 = tt.broadcast %38 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
    %40 = tt.broadcast %17 : tensor<1x16xi32> -> tensor<16x16xi32>
    %41 = tt.addptr %39, %40 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %41, %35 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
