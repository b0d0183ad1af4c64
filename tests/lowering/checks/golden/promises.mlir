cuda_tile.module @kernels {
  entry @k(%arg0: tile<i32>, %arg1: tile<i32>) {
    %0 = addi %arg0, %arg1 : tile<i32>
    %1 = xori %arg0, %0 : tile<i32>
    %2 = xori %arg1, %0 : tile<i32>
    %3 = andi %1, %2 : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %4 = cmpi greater_than_or_equal %3, %cst_0_i32, signed : tile<i32> -> tile<i1>
    %5 = "nv_tileaa.with_operands"(%4, %arg0, %arg1) <{signedness = #nv_tileaa.signedness<signed>}> : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
    assert %5, "sum: the signed result does not fit its type" {nv_tileaa.check = "promises"} : tile<i1>
    %6 = addi %arg0, %arg1 overflow<no_signed_wrap> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %7 = cmpi not_equal %arg1, %cst_0_i32_0, signed : tile<i32> -> tile<i1>
    %cst_-1_i32 = constant <i32: -1> : tile<i32>
    %8 = cmpi not_equal %arg1, %cst_-1_i32, signed : tile<i32> -> tile<i1>
    %cst_-2147483648_i32 = constant <i32: -2147483648> : tile<i32>
    %9 = cmpi not_equal %6, %cst_-2147483648_i32, signed : tile<i32> -> tile<i1>
    %10 = ori %8, %9 : tile<i1>
    %11 = andi %7, %10 : tile<i1>
    %12 = "nv_tileaa.with_operands"(%11, %6, %arg1) <{signedness = #nv_tileaa.signedness<signed>}> : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
    assert %12, "integer division: division by zero, or of the smallest number by -1" {nv_tileaa.check = "promises"} : tile<i1>
    %13 = divi %6, %arg1 signed : tile<i32>
    %cst_0_i32_1 = constant <i32: 0> : tile<i32>
    %14 = cmpi greater_than_or_equal %13, %cst_0_i32_1, signed : tile<i32> -> tile<i1>
    %cst_10_i32 = constant <i32: 10> : tile<i32>
    %15 = cmpi less_than_or_equal %13, %cst_10_i32, signed : tile<i32> -> tile<i1>
    %16 = andi %14, %15 : tile<i1>
    assert %16, "promise: bounded does not hold: lower=0, upper=10" {nv_tileaa.check = "promises"} : tile<i1>
    %assume = assume bounded<0, 10>, %13 : tile<i32>
    %17 = print_tko "%i", %assume : tile<i32> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.xori %arg0, %0 : i32
    %2 = arith.xori %arg1, %0 : i32
    %3 = arith.andi %1, %2 : i32
    %c0_i32 = arith.constant 0 : i32
    %4 = arith.cmpi sge, %3, %c0_i32 : i32
    "nv_tileaa.check"(%4, %arg0, %arg1) <{check = "promises", message = "sum: the signed result does not fit its type", signedness = #nv_tileaa.signedness<signed>}> : (i1, i32, i32) -> ()
    %5 = arith.addi %arg0, %arg1 overflow<nsw> : i32
    %c0_i32_0 = arith.constant 0 : i32
    %6 = arith.cmpi ne, %arg1, %c0_i32_0 : i32
    %c-1_i32 = arith.constant -1 : i32
    %7 = arith.cmpi ne, %arg1, %c-1_i32 : i32
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    %8 = arith.cmpi ne, %5, %c-2147483648_i32 : i32
    %9 = arith.ori %7, %8 : i1
    %10 = arith.andi %6, %9 : i1
    "nv_tileaa.check"(%10, %5, %arg1) <{check = "promises", message = "integer division: division by zero, or of the smallest number by -1", signedness = #nv_tileaa.signedness<signed>}> : (i1, i32, i32) -> ()
    %11 = arith.divsi %5, %arg1 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %12 = arith.cmpi sge, %11, %c0_i32_1 : i32
    %c10_i32 = arith.constant 10 : i32
    %13 = arith.cmpi sle, %11, %c10_i32 : i32
    %14 = arith.andi %12, %13 : i1
    "nv_tileaa.check"(%14) <{check = "promises", message = "promise: bounded does not hold: lower=0, upper=10", signedness = #nv_tileaa.signedness<signed>}> : (i1) -> ()
    %15 = "nv_tileaa.assume"(%11) <{predicates = [#nv_tileaa.bounded<0, 10>]}> : (i32) -> i32
    %16 = "nv_tileaa.print"(%15) <{format = "%i", operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
