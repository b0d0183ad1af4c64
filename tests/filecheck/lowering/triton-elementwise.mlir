// Functions of elements: those of Triton, those of a library, and one with a loop in it.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @elements(
// CHECK: divf
// CHECK: ftof
// CHECK-LABEL: entry @library(
// CHECK: tanh
// CHECK: atan2
// CHECK-LABEL: entry @mapped(
// CHECK: for %
// CHECK: extract %
// CHECK: loop iter_values
// CHECK: insert %
// CHECK-LABEL: entry @compared(
// CHECK: loop : tile<i32>
// CHECK: break
// CHECK: insert %

module {
  tt.func public @elements(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %cst = arith.constant dense<3> : tensor<32xi32>
    %cst_0 = arith.constant dense<1048576> : tensor<32xi32>
    %c192_i32 = arith.constant 192 : i32
    %c160_i32 = arith.constant 160 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %cst_2 = arith.constant dense<2.500000e-01> : tensor<32xf32>
    %c128_i32 = arith.constant 128 : i32
    %cst_3 = arith.constant dense<1.500000e+00> : tensor<32xf32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %c96_i32 = arith.constant 96 : i32
    %cst_5 = arith.constant dense<3.000000e+00> : tensor<32xf32>
    %c64_i32 = arith.constant 64 : i32
    %cst_6 = arith.constant dense<5.000000e-01> : tensor<32xf32>
    %cst_7 = arith.constant dense<-5.000000e-01> : tensor<32xf32>
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %3 = tt.load %2 : tensor<32x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %6 = math.erf %3 : tensor<32xf32>
    tt.store %5, %6 : tensor<32x!tt.ptr<f32>>
    %7 = tt.addptr %arg1, %c32_i32 : !tt.ptr<f32>, i32
    %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %10 = tt.clampf %3, %cst_7, %cst_6, propagateNan = none : tensor<32xf32>
    tt.store %9, %10 : tensor<32x!tt.ptr<f32>>
    %11 = tt.addptr %arg1, %c64_i32 : !tt.ptr<f32>, i32
    %12 = tt.splat %11 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %13 = tt.addptr %12, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %14 = math.absf %3 : tensor<32xf32>
    %15 = tt.precise_sqrt %14 : tensor<32xf32>
    %16 = tt.precise_divf %15, %cst_5 : tensor<32xf32>
    tt.store %13, %16 : tensor<32x!tt.ptr<f32>>
    %17 = tt.addptr %arg1, %c96_i32 : !tt.ptr<f32>, i32
    %18 = tt.splat %17 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %19 = tt.addptr %18, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %20 = math.fma %3, %3, %cst_4 : tensor<32xf32>
    %21 = arith.remf %20, %cst_3 : tensor<32xf32>
    tt.store %19, %21 : tensor<32x!tt.ptr<f32>>
    %22 = tt.addptr %arg1, %c128_i32 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %24 = tt.addptr %23, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %25 = arith.cmpf une, %3, %3 : tensor<32xf32>
    %26 = arith.maximumf %3, %cst_2 : tensor<32xf32>
    %27 = arith.select %25, %cst_1, %26 : tensor<32xi1>, tensor<32xf32>
    tt.store %24, %27 : tensor<32x!tt.ptr<f32>>
    %28 = tt.addptr %arg1, %c160_i32 : !tt.ptr<f32>, i32
    %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %30 = tt.addptr %29, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %31 = tt.fp_to_fp %3, rounding = rtz : tensor<32xf32> -> tensor<32xf8E5M2>
    %32 = tt.fp_to_fp %31 : tensor<32xf8E5M2> -> tensor<32xf32>
    tt.store %30, %32 : tensor<32x!tt.ptr<f32>>
    %33 = tt.addptr %arg1, %c192_i32 : !tt.ptr<f32>, i32
    %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %35 = tt.addptr %34, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %36 = tt.bitcast %3 : tensor<32xf32> -> tensor<32xi32>
    %37 = tt.mulhiui %36, %cst_0 : tensor<32xi32>
    %38 = arith.shrsi %37, %cst : tensor<32xi32>
    %39 = arith.sitofp %38 : tensor<32xi32> to tensor<32xf32>
    tt.store %35, %39 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @library(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %c224_i32 = arith.constant 224 : i32
    %c192_i32 = arith.constant 192 : i32
    %cst = arith.constant dense<0> : tensor<32xi32>
    %c160_i32 = arith.constant 160 : i32
    %c128_i32 = arith.constant 128 : i32
    %c96_i32 = arith.constant 96 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<4.000000e+00> : tensor<32xf32>
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %3 = tt.load %2 : tensor<32x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %6 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %5, %6 : tensor<32x!tt.ptr<f32>>
    %7 = tt.addptr %arg1, %c32_i32 : !tt.ptr<f32>, i32
    %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %9 = tt.addptr %8, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %10 = arith.divf %3, %cst_0 : tensor<32xf32>
    %11 = tt.extern_elementwise %10 {libname = "", libpath = "", pure = true, symbol = "__nv_asinf"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %9, %11 : tensor<32x!tt.ptr<f32>>
    %12 = tt.addptr %arg1, %c64_i32 : !tt.ptr<f32>, i32
    %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %14 = tt.addptr %13, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %15 = math.absf %3 : tensor<32xf32>
    %16 = tt.extern_elementwise %15 {libname = "", libpath = "", pure = true, symbol = "__nv_log1pf"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %14, %16 : tensor<32x!tt.ptr<f32>>
    %17 = tt.addptr %arg1, %c96_i32 : !tt.ptr<f32>, i32
    %18 = tt.splat %17 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %19 = tt.addptr %18, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %20 = arith.mulf %3, %cst_0 : tensor<32xf32>
    %21 = tt.extern_elementwise %20 {libname = "", libpath = "", pure = true, symbol = "__nv_rintf"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %19, %21 : tensor<32x!tt.ptr<f32>>
    %22 = tt.addptr %arg1, %c128_i32 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %24 = tt.addptr %23, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %25 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_expm1f"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %24, %25 : tensor<32x!tt.ptr<f32>>
    %26 = tt.addptr %arg1, %c160_i32 : !tt.ptr<f32>, i32
    %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %29 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_isnanf"} : (tensor<32xf32>) -> tensor<32xi32>
    %30 = arith.cmpi ne, %29, %cst : tensor<32xi32>
    %31 = arith.uitofp %30 : tensor<32xi1> to tensor<32xf32>
    tt.store %28, %31 : tensor<32x!tt.ptr<f32>>
    %32 = tt.addptr %arg1, %c192_i32 : !tt.ptr<f32>, i32
    %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %34 = tt.addptr %33, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %35 = tt.bitcast %3 : tensor<32xf32> -> tensor<32xi32>
    %36 = tt.extern_elementwise %35 {libname = "", libpath = "", pure = true, symbol = "__nv_popc"} : (tensor<32xi32>) -> tensor<32xi32>
    %37 = arith.sitofp %36 : tensor<32xi32> to tensor<32xf32>
    tt.store %34, %37 : tensor<32x!tt.ptr<f32>>
    %38 = tt.addptr %arg1, %c224_i32 : !tt.ptr<f32>, i32
    %39 = tt.splat %38 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %40 = tt.addptr %39, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %41 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_cbrtf"} : (tensor<32xf32>) -> tensor<32xf32>
    tt.store %40, %41 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @mapped(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %4 = tt.addptr %3, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %5 = tt.load %4 : tensor<16x!tt.ptr<i32>>
    %6 = "tt.map_elementwise"(%5) <{pack = 1 : i32}> ({
    ^bb0(%arg2: i32):
      %7:2 = scf.while (%arg3 = %arg2, %arg4 = %c0_i32) : (i32, i32) -> (i32, i32) {
        %8 = arith.cmpi sgt, %arg3, %c1_i32 : i32
        scf.condition(%8) %arg3, %arg4 : i32, i32
      } do {
      ^bb0(%arg3: i32, %arg4: i32):
        %8 = arith.remsi %arg3, %c2_i32 : i32
        %9 = arith.cmpi eq, %8, %c0_i32 : i32
        %10 = arith.divsi %arg3, %c2_i32 : i32
        %11 = arith.muli %arg3, %c3_i32 : i32
        %12 = arith.addi %11, %c1_i32 : i32
        %13 = arith.select %9, %10, %12 : i32
        %14 = arith.addi %arg4, %c1_i32 : i32
        scf.yield %13, %14 : i32, i32
      }
      tt.map_elementwise.return %7#1 : i32
    }) : (tensor<16xi32>) -> tensor<16xi32>
    tt.store %2, %6 : tensor<16x!tt.ptr<i32>>
    tt.return
  }
  tt.func public @compared(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<i32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %4 = tt.addptr %3, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %5 = tt.load %4 : tensor<16x!tt.ptr<i32>>
    %6 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %7 = tt.addptr %6, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %8 = tt.load %7 : tensor<16x!tt.ptr<i32>>
    %9 = "tt.map_elementwise"(%5, %8) <{pack = 1 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %10 = tt.call @sign(%arg3, %arg4) : (i32, i32) -> i32
      tt.map_elementwise.return %10 : i32
    }) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    tt.store %2, %9 : tensor<16x!tt.ptr<i32>>
    tt.return
  }
  tt.func private @sign(%arg0: i32, %arg1: i32) -> i32 attributes {noinline = false} {
    %0 = arith.cmpi slt, %arg0, %arg1 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %c-1_i32 = arith.constant -1 : i32
    tt.return %c-1_i32 : i32
  ^bb2:  // pred: ^bb0
    %1 = arith.cmpi eq, %arg0, %arg1 : i32
    cf.cond_br %1, ^bb4, ^bb5
  ^bb3:  // no predecessors
    cf.br ^bb9
  ^bb4:  // pred: ^bb2
    %c0_i32 = arith.constant 0 : i32
    tt.return %c0_i32 : i32
  ^bb5:  // pred: ^bb2
    %c1_i32 = arith.constant 1 : i32
    tt.return %c1_i32 : i32
  ^bb6:  // no predecessors
    cf.br ^bb8
  ^bb7:  // no predecessors
    cf.br ^bb8
  ^bb8:  // 2 preds: ^bb6, ^bb7
    cf.br ^bb9
  ^bb9:  // 2 preds: ^bb3, ^bb8
    %2 = ub.poison : i32
    tt.return %2 : i32
  }
}
