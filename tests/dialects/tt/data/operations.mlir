module {
  tt.func public @all(%arg0: tensor<4x2xf32>, %arg1: !tt.ptr<f32, "constant">, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32, "descriptor">, %arg4: !tt.ptr<f8E4M3FN>, %arg5: !tt.tensordesc<16x32xf16>, %arg6: !tt.tensordesc<16xui8>, %arg7: !tt.ptr<i32>, %arg8: i32, %arg9: i64, %arg10: i1, %arg11: !tt.ptr<f16>, %arg12: tensor<16x32xf16>, %arg13: tensor<16xi32>, %arg14: !tt.tensordesc<1x32xf16>, %arg15: tensor<16x32xf8E4M3FN>, %arg16: tensor<32x16xf8E4M3FN>, %arg17: tensor<16x16xf32>, %arg18: tensor<16x1xi8>) {
    %outLHS, %outRHS = tt.split %arg0 : tensor<4x2xf32> -> tensor<4xf32>
    %0 = tt.atomic_poll acquire, gpu, %arg7, %arg8 : !tt.ptr<i32>, i32 -> i1
    %1 = tt.atomic_poll acquire, gpu, %arg7, %arg8 timeout %arg9 : !tt.ptr<i32>, i32 -> i1
    %2 = tt.atomic_load acquire, gpu, %arg7 : (!tt.ptr<i32>) -> i32
    tt.atomic_store release, gpu, %arg7, %arg8 : !tt.ptr<i32>
    %3 = tt.load %arg7 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, isVolatile = true} : !tt.ptr<i32>
    tt.print " a: " {hex = false, isSigned = array<i32: 1>} : %3 : i32
    tt.print " a: " {hex = true, isSigned = array<i32>}
    tt.assert %arg10, "x" : i1
    ttg.barrier local|global_read
    ttg.barrier all
    ttg.barrier none
    %4 = tt.make_tensor_descriptor %arg11, [%arg8, %arg8], [%arg9, %arg9] : <f16>, <16x32xf16>
    %5 = tt.make_tensor_descriptor %arg11, [%arg8, %arg8], [%arg9, %arg9] {padding = 2 : i32} : <f16>, <16x32xf16>
    %6 = tt.descriptor_load %arg5[%arg8, %arg8] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    tt.descriptor_store %arg5[%arg8, %arg8], %arg12 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    tt.descriptor_reduce add, %arg5[%arg8, %arg8], %arg12 : !tt.tensordesc<16x32xf16>, tensor<16x32xf16>
    %7 = tt.descriptor_gather %arg14[%arg13, %arg8] : (!tt.tensordesc<1x32xf16>, tensor<16xi32>, i32) -> tensor<16x32xf16>
    tt.descriptor_scatter %arg14[%arg13, %arg8], %arg12 : !tt.tensordesc<1x32xf16>, tensor<16xi32>, i32, tensor<16x32xf16>
    %8 = tt.dot %arg15, %arg16, %arg17 : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
    %9 = tt.dot %arg15, %arg16, %arg17, inputPrecision = tf32 {maxNumImpreciseAcc = 1 : i32} : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
    %10 = tt.dot_scaled %arg15 scale %arg18, %arg16 scale %arg18, %arg17 lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x32xf8E4M3FN>, tensor<16x1xi8> * tensor<32x16xf8E4M3FN>, tensor<16x1xi8> -> tensor<16x16xf32>
    %11 = tt.dot_scaled %arg15, %arg16, %arg17 lhs = e4m3 rhs = e4m3 {fastMath = true} : tensor<16x32xf8E4M3FN> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
    %12 = tt.extern_elementwise %arg17 {libname = "a", libpath = "", pure = true, symbol = "s"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %13:2 = tt.elementwise_inline_asm "a" {constraints = "=r", packed_element = 1 : i32, pure = true} %arg17 : tensor<16x16xf32> -> tensor<16x16xf32>, tensor<16x16xf32>
    %14 = tt.histogram %arg13 : tensor<16xi32> -> tensor<8xi32>
    %15 = tt.gather %arg13[%arg13] {axis = 0 : i32} : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %16 = tt.reshape %arg13 allow_reorder efficient_layout : tensor<16xi32> -> tensor<4x4xi32>
    %17 = tt.ptr_to_int %arg7 : !tt.ptr<i32> -> i64
    %18 = tt.int_to_ptr %17 : i64 -> !tt.ptr<i32>
    %19 = tt.bitcast %18 : !tt.ptr<i32> -> !tt.ptr<f32>
    %20 = tt.precise_sqrt %arg17 : tensor<16x16xf32>
    %21 = tt.precise_divf %20, %arg17 : tensor<16x16xf32>
    %22 = tt.approx_divf %21, %arg17 : tensor<16x16xf32>
    %23 = tt.clampf %22, %20, %21, propagateNan = none : tensor<16x16xf32>
    %24 = tt.mulhiui %arg13, %arg13 : tensor<16xi32>
    %25 = tt.fp_to_fp %23, rounding = rtz : tensor<16x16xf32> -> tensor<16x16xf8E5M2>
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    %26 = tt.get_num_programs z : i32
    %27 = tt.reshape %arg18 : tensor<16x1xi8> -> tensor<16xi8>
    %28 = tt.splat %arg8 : i32 -> tensor<1xi32>
    %29 = tt.unsplat %28 : tensor<1xi32>
    %30 = "tt.map_elementwise"(%arg13) <{pack = 2 : i32}> ({
    ^bb0(%arg19: i32, %arg20: i32):
      tt.map_elementwise.return %arg20, %arg19 : i32, i32
    }) : (tensor<16xi32>) -> tensor<16xi32>
    %31 = tt.descriptor_load %arg5[%arg8, %arg8] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
    tt.store %arg7, %arg8 {ignore_cta} : !tt.ptr<i32>
    tt.return
  }
}
