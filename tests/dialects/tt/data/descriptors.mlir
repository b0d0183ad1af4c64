module {
  tt.func public @descriptors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = arith.extsi %arg3 : i32 to i64
    %c1_i64 = arith.constant 1 : i64
    %1 = tt.make_tensor_descriptor %arg0, [%arg2, %arg3], [%0, %c1_i64] {padding = 2 : i32} : <f16>, <16x16xf16>
    %2 = arith.extsi %arg3 : i32 to i64
    %c1_i64_0 = arith.constant 1 : i64
    %3 = tt.make_tensor_descriptor %arg1, [%arg2, %arg3], [%2, %c1_i64_0] : <f16>, <16x16xf16>
    %4 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %5 = arith.extsi %4 : i32 to i64
    %6 = arith.extsi %c16_i32 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %8 = arith.cmpi sle, %7, %c2147483647_i64 : i64
    %9 = arith.cmpi sge, %7, %c-2147483648_i64 : i64
    %10 = arith.andi %8, %9 : i1
    %11 = arith.muli %4, %c16_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_1 = arith.constant 16 : i32
    %12 = arith.bitcast %c0_i32 : i32 to i32
    %13 = arith.bitcast %arg3 : i32 to i32
    %14 = arith.bitcast %c16_i32_1 : i32 to i32
    %15 = ub.poison : i32
    scf.for %arg4 = %12 to %13 step %14  : i32 {
      %16 = tt.descriptor_load %1[%11, %arg4] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
      tt.descriptor_store %3[%11, %arg4], %16 : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
      tt.descriptor_reduce add, %3[%11, %arg4], %16 : !tt.tensordesc<16x16xf16>, tensor<16x16xf16>
    }
    tt.return
  }
}
