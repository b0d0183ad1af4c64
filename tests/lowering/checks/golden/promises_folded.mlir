cuda_tile.module @kernels {
  entry @k(%arg0: tile<ptr<i32>>) {
    %0 = iota : tile<8xi32>
    %false = constant <i1: false> : tile<8xi1>
    %reduce:2 = reduce %0, %false dim=0 identities=[0 : i32, false] : tile<8xi32>, tile<8xi1> -> tile<i32>, tile<i1> 
    (%reduce_lhs0: tile<i32>, %reduce_rhs0: tile<i32>, %reduce_lhs1: tile<i1>, %reduce_rhs1: tile<i1>) {
      %2 = addi %reduce_lhs0, %reduce_rhs0 : tile<i32>
      %3 = cmpi greater_than_or_equal %2, %reduce_lhs0, unsigned : tile<i32> -> tile<i1>
      %4 = addi %reduce_lhs0, %reduce_rhs0 overflow<no_unsigned_wrap> : tile<i32>
      %true_1 = constant <i1: true> : tile<i1>
      %5 = xori %3, %true_1 : tile<i1>
      %6 = ori %reduce_lhs1, %reduce_rhs1 : tile<i1>
      %7 = ori %6, %5 : tile<i1>
      yield %4, %7 : tile<i32>, tile<i1>
    }
    %true = constant <i1: true> : tile<i1>
    %1 = xori %reduce#1, %true : tile<i1>
    assert %1, "sum: the unsigned result does not fit its type" {nv_tileaa.check = "promises"} : tile<i1>
    %reduce_0 = reduce %0 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> 
    (%reduce_lhs: tile<i32>, %reduce_rhs: tile<i32>) {
      %2 = addi %reduce_lhs, %reduce_rhs overflow<no_unsigned_wrap> : tile<i32>
      yield %2 : tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = "nv_tileaa.make_range"(%c0_i32, %c8_i32) : (i32, i32) -> tensor<8xi32>
    %1 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<8xi1>
    %2:2 = "nv_tileaa.reduce"(%0, %1) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i1, %arg3: i32, %arg4: i1):
      %5 = arith.addi %arg3, %arg1 : i32
      %6 = arith.cmpi uge, %5, %arg3 : i32
      %7 = arith.addi %arg3, %arg1 overflow<nuw> : i32
      %true_0 = arith.constant true
      %8 = arith.xori %6, %true_0 : i1
      %9 = arith.ori %arg4, %arg2 : i1
      %10 = arith.ori %9, %8 : i1
      "nv_tileaa.yield"(%7, %10) : (i32, i1) -> ()
    }) : (tensor<8xi32>, tensor<8xi1>) -> (i32, i1)
    %true = arith.constant true
    %3 = arith.xori %2#1, %true : i1
    "nv_tileaa.check"(%3) <{check = "promises", message = "sum: the unsigned result does not fit its type", signedness = #nv_tileaa.signedness<signed>}> : (i1) -> ()
    %4 = "nv_tileaa.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: i32, %arg2: i32):
      %5 = arith.addi %arg2, %arg1 overflow<nuw> : i32
      "nv_tileaa.yield"(%5) : (i32) -> ()
    }) : (tensor<8xi32>) -> i32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
