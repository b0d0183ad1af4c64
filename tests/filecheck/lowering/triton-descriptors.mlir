// Blocks of tensor descriptors: tiles of views where blocks are known to be on the grid, else pointers under a mask.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// Offsets are multiples of the block, and only the run tells whether the block is on the grid.  The last stride is 1.
// CHECK-LABEL: entry @grid(
// CHECK-NOT: view
// CHECK: %[[ROW:.*]] = broadcast %{{.*}} : tile<8x1xi64> -> tile<8x16xi64>
// CHECK: %[[COLUMN:.*]] = broadcast %{{.*}} : tile<1x16xi64> -> tile<8x16xi64>
// CHECK: addi %[[ROW]], %[[COLUMN]]
// CHECK: load_ptr_tko weak
// CHECK-NOT: view
// CHECK: store_ptr_tko weak

// Everything is known: the block of 8 x 16 at (8, 16) of 20 x 20 reaches beyond an edge, that at (24, 0) is outside.
// CHECK-LABEL: entry @fixed(
// CHECK-NOT: if %
// CHECK: partition_view<tile=(8x16), padding_value = zero
// CHECK: load_view_tko weak
// CHECK: store_view_tko weak
// CHECK: store_ptr_tko weak

// Nobody knows where blocks begin.
// CHECK-LABEL: entry @anywhere(
// CHECK-NOT: view
// CHECK: load_ptr_tko weak
// CHECK: store_ptr_tko weak

// A descriptor from the host says at run time how large it is and what lies outside of it.
// CHECK-LABEL: entry @given(
// CHECK-NOT: view
// CHECK: %[[OUTSIDE:.*]] = select
// CHECK: load_ptr_tko weak %{{.*}}, %{{.*}}, %[[OUTSIDE]]
// CHECK: store_ptr_tko weak

module {
  tt.func public @grid(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %m: i32, %n: i32) {
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c1 = arith.constant 1 : i64
    %stride = arith.extsi %n : i32 to i64
    %0 = tt.make_tensor_descriptor %x, [%m, %n], [%stride, %c1] {padding = 2 : i32} : <f32>, <8x16xf32>
    %1 = tt.make_tensor_descriptor %y, [%m, %n], [%stride, %c1] : <f32>, <8x16xf32>
    %first = arith.constant -16 : i32
    %last = arith.addi %n, %c16 : i32
    %program = tt.get_program_id x : i32
    %above = arith.muli %program, %c8 : i32
    %row = arith.subi %above, %c8 : i32
    %end = scf.for %i = %first to %last step %c16 iter_args(%column = %first) -> (i32) : i32 {
      %block = tt.descriptor_load %0[%row, %column] : !tt.tensordesc<8x16xf32> -> tensor<8x16xf32>
      %next = arith.addi %column, %c16 : i32
      tt.descriptor_store %1[%above, %next], %block : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
      scf.yield %next : i32
    }
    tt.return
  }
  tt.func public @fixed(%x: !tt.ptr<i8>, %y: !tt.ptr<i8>) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c24 = arith.constant 24 : i32
    %c20 = arith.constant 20 : i32
    %c1 = arith.constant 1 : i64
    %stride = arith.constant 20 : i64
    %0 = tt.make_tensor_descriptor %x, [%c20, %c20], [%stride, %c1] {padding = 2 : i32} : <i8>, <8x16xi8>
    %1 = tt.make_tensor_descriptor %y, [%c20, %c20], [%stride, %c1] : <i8>, <8x16xi8>
    %block = tt.descriptor_load %0[%c8, %c16] : !tt.tensordesc<8x16xi8> -> tensor<8x16xi8>
    tt.descriptor_store %1[%c16, %c0], %block : !tt.tensordesc<8x16xi8>, tensor<8x16xi8>
    tt.descriptor_store %1[%c24, %c0], %block : !tt.tensordesc<8x16xi8>, tensor<8x16xi8>
    tt.return
  }
  tt.func public @anywhere(%x: !tt.ptr<i1>, %y: !tt.ptr<i1>, %n: i32, %at: i32) {
    %c1 = arith.constant 1 : i64
    %0 = tt.make_tensor_descriptor %x, [%n], [%c1] : <i1>, <16xi1>
    %1 = tt.make_tensor_descriptor %y, [%n], [%c1] : <i1>, <16xi1>
    %block = tt.descriptor_load %0[%at] : !tt.tensordesc<16xi1> -> tensor<16xi1>
    tt.descriptor_store %1[%at], %block : !tt.tensordesc<16xi1>, tensor<16xi1>
    tt.return
  }
  tt.func public @given(%0: !tt.tensordesc<1x16xf16>, %n: i32) {
    %c16 = arith.constant 16 : i32
    %program = tt.get_program_id x : i32
    %column = arith.muli %program, %c16 : i32
    %block = tt.descriptor_load %0[%n, %column] : !tt.tensordesc<1x16xf16> -> tensor<16xf16>
    tt.descriptor_store %0[%program, %column], %block : !tt.tensordesc<1x16xf16>, tensor<16xf16>
    tt.return
  }
}
