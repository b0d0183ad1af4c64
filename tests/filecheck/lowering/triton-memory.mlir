// Accesses of Triton's kernels: masks, atomic operations, descriptors, and what is said to the outside.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @vector_add(
// CHECK: assume div_by<16>, %arg0
// CHECK: %[[X:.*]], %[[T:.*]] = load_ptr_tko weak %{{.*}}, %[[M:.*]] token=%
// CHECK: %[[Y:.*]], %[[U:.*]] = load_ptr_tko weak %{{.*}}, %[[M]], %{{.*}} token=%[[T]]
// CHECK: store_ptr_tko weak %{{.*}}, %{{.*}}, %[[M]] token=%[[U]]
// CHECK-LABEL: entry @flags(
// CHECK: tile<ptr<i8>>
// CHECK-LABEL: entry @atomics(
// CHECK: atomic_rmw_tko acq_rel device
// CHECK: atomic_rmw_tko release tl_blk
// CHECK-LABEL: entry @described(
// CHECK: for %
// CHECK: load_ptr_tko weak
// CHECK: store_ptr_tko weak
// CHECK-LABEL: entry @told(
// CHECK: print_tko
// CHECK: assert %
// CHECK-LABEL: entry @ordered(
// CHECK: load_ptr_tko acquire device %
// CHECK: store_ptr_tko release sys %

module {
  tt.func public @vector_add(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<128xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %9 = tt.load %8, %6 : tensor<128x!tt.ptr<f32>>
    %10 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %11 = tt.addptr %10, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %12 = tt.load %11, %6, %cst : tensor<128x!tt.ptr<f32>>
    %13 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %14 = tt.addptr %13, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %15 = arith.addf %9, %12 : tensor<128xf32>
    tt.store %14, %15, %6 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @flags(%arg0: !tt.ptr<i1>, %arg1: !tt.ptr<i1>) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<16xi1>
    %cst_0 = arith.constant dense<0> : tensor<16xi8>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i1> -> tensor<16x!tt.ptr<i1>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<i1>>, tensor<16xi32>
    %3 = tt.bitcast %2 : tensor<16x!tt.ptr<i1>> -> tensor<16x!tt.ptr<i8>>
    %4 = tt.load %3 : tensor<16x!tt.ptr<i8>>
    %5 = arith.cmpi ne, %4, %cst_0 : tensor<16xi8>
    %6 = tt.splat %arg1 : !tt.ptr<i1> -> tensor<16x!tt.ptr<i1>>
    %7 = tt.addptr %6, %0 : tensor<16x!tt.ptr<i1>>, tensor<16xi32>
    %8 = arith.xori %5, %cst : tensor<16xi1>
    %9 = tt.bitcast %7 : tensor<16x!tt.ptr<i1>> -> tensor<16x!tt.ptr<i8>>
    %10 = arith.extui %8 : tensor<16xi1> to tensor<16xi8>
    tt.store %9, %10 : tensor<16x!tt.ptr<i8>>
    tt.return
  }
  tt.func public @atomics(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>) attributes {noinline = false} {
    %c5_i32 = arith.constant 5 : i32
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    %cst = arith.constant dense<0> : tensor<16xi32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<31> : tensor<16xi32>
    %cst_1 = arith.constant dense<3> : tensor<16xi32>
    %cst_2 = arith.constant dense<true> : tensor<16xi1>
    %true = arith.constant true
    %cst_3 = arith.constant dense<4> : tensor<16xi32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = arith.remsi %0, %cst_3 : tensor<16xi32>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %4 = tt.atomic_rmw add, acq_rel, gpu, %3, %0, %cst_2 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    %5 = arith.cmpi slt, %0, %cst_1 : tensor<16xi32>
    %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %7 = tt.addptr %6, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %8 = arith.sitofp %0 : tensor<16xi32> to tensor<16xf32>
    %9 = tt.bitcast %8 : tensor<16xf32> -> tensor<16xi32>
    %10 = tt.bitcast %7 : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i32>>
    %11 = arith.shrui %9, %cst_0 : tensor<16xi32>
    %12 = arith.cmpi ne, %11, %cst : tensor<16xi32>
    %13 = arith.xori %12, %cst_2 : tensor<16xi1>
    %14 = arith.andi %5, %13 : tensor<16xi1>
    %15 = tt.atomic_rmw max, acq_rel, gpu, %10, %9, %14 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    %16 = arith.andi %5, %12 : tensor<16xi1>
    %17 = tt.atomic_rmw umin, acq_rel, gpu, %10, %9, %16 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    %18 = tt.atomic_cas acq_rel, gpu, %arg2, %c0_i32, %c7_i32 : (!tt.ptr<i32>, i32, i32) -> i32
    %19 = tt.addptr %arg2, %c1_i32 : !tt.ptr<i32>, i32
    %20 = tt.atomic_rmw exch, release, cta, %19, %c5_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
  tt.func public @described(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c-2_i32 = arith.constant -2 : i32
    %cst = arith.constant dense<2.000000e+00> : tensor<8x16xf32>
    %c3_i32 = arith.constant 3 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = arith.extsi %arg3 : i32 to i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] : <f32>, <8x16xf32>
    %2 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%0, %c1_i64] : <f32>, <8x16xf32>
    scf.for %arg4 = %c0_i32 to %arg2 step %c8_i32  : i32 {
      %3 = arith.subi %arg4, %c1_i32 : i32
      %4 = tt.descriptor_load %1[%3, %c3_i32] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
      %5 = arith.mulf %4, %cst : tensor<8x16xf32>
      tt.descriptor_store %2[%arg4, %c-2_i32], %5 : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
    }
    tt.return
  }
  tt.func public @told(%arg0: !tt.ptr<i32>) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %2 = tt.addptr %1, %0 : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %3 = tt.load %2 : tensor<4x!tt.ptr<i32>>
    tt.print " value: " {hex = false, isSigned = array<i32: 1>} : %3 : tensor<4xi32>
    %limit = arith.constant dense<10> : tensor<4xi32>
    %small = arith.cmpi slt, %3, %limit : tensor<4xi32>
    tt.assert %small, "too large" : tensor<4xi1>
    ttg.barrier all
    %4 = tt.get_program_id x : i32
    %5 = arith.cmpi sge, %4, %c0_i32 : i32
    llvm.intr.assume %5 : i1
    tt.return
  }
  tt.func public @ordered(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) attributes {noinline = false} {
    %0 = tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<i32>) -> i32
    tt.atomic_store release, sys, %arg1, %0 : !tt.ptr<i32>
    tt.return
  }
}
