module {
  tt.func public @locked(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    scf.while : () -> () {
      %c0_i32_2 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %12 = tt.atomic_cas acquire, gpu, %arg0, %c0_i32_2, %c1_i32 : (!tt.ptr<i32>, i32, i32) -> i32
      %c1_i32_3 = arith.constant 1 : i32
      %13 = arith.cmpi eq, %12, %c1_i32_3 : i32
      scf.condition(%13)
    } do {
      scf.yield
    }
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 {isVolatile = true} : tensor<16x!tt.ptr<f32>>
    %c7_i32 = arith.constant 7 : i32
    %cst = arith.constant dense<7> : tensor<16xi32>
    %4 = arith.cmpi slt, %0, %cst : tensor<16xi32>
    %5 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %6 = tt.addptr %5, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %7 = tt.atomic_rmw fadd, relaxed, cta, %6, %3, %4 : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
    %8 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %9 = tt.addptr %8, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %true = arith.constant true
    %cst_0 = arith.constant dense<true> : tensor<16xi1>
    %10 = tt.atomic_rmw max, acq_rel, gpu, %9, %0, %cst_0 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    %c0_i32 = arith.constant 0 : i32
    %true_1 = arith.constant true
    %11 = tt.atomic_rmw exch, release, gpu, %arg0, %c0_i32, %true_1 : (!tt.ptr<i32>, i32, i1) -> i32
    ttg.barrier all
    tt.return
  }
}
