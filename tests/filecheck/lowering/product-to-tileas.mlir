// A kernel of Tile IR becomes a function of nv_tileaa, and its accesses and products become operations of nv_tileas.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa{compute-capability=sm_80})' | FileCheck %s --check-prefixes=CHECK,AA
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa{compute-capability=sm_80},convert-tileaa-to-tileas)' | FileCheck %s --check-prefixes=CHECK,AS

// The module says for which GPU it is.
// CHECK: module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">}
// CHECK: "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f16, 1>, !nv_tileaa.ptr<f16, 1>, !nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}>
// Assumptions and arrays keep their facts.
// CHECK: %[[X:.*]] = "nv_tileaa.assume"(%arg0) <{predicates = [#nv_tileaa.div_by<16>]}>
// CHECK: %[[ARRAY:.*]] = "nv_tileaa.make_memref"(%[[X]]) {{.*}} -> !nv_tileaa.memref<32x144xf16, strides = [144, 1]>
// AA: %[[VIEW:.*]] = "nv_tileaa.block_tile"(%[[ARRAY]]) <{dimGroups = [array<i64: 0>, array<i64: 1>], tileSizes = array<i64: 32, 16>}>
// AS: %[[VIEW:.*]] = "nv_tileas.view"(%[[ARRAY]]) {{.*}} -> !nv_tileas.tiled_view<f16, [32, 16], global>
// A tile of equal numbers is a splat.
// CHECK: "nv_tileaa.splat"() <{value = 0.000000e+00 : f32}> : () -> tensor<32x32xf32>
// CHECK: scf.for %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<32x32xf32>)  : i32
// The tile may leave the array along its second dimension, and is zero there.
// AA: %[[A:.*]], %{{.*}} = "nv_tileaa.tiled_load"(%[[VIEW]], {{.*}} in_bounds = array<i1: true, false>, {{.*}} padding_value = #nv_tileaa.padding_value<zero>
// AA: "nv_tileaa.dot"(%[[A]], %{{.*}}, %[[SUM]])
// AA: "nv_tileaa.tiled_store"
// AS: %[[A:.*]], %{{.*}} = "nv_tileas.tiled_load"(%[[VIEW]], {{.*}} in_bounds = array<i1: true, false>, {{.*}} padding_value = #nv_tileaa.padding_value<zero>
// AS: "nv_tileas.dot"(%[[A]], %{{.*}}, %[[SUM]]) <{atom = #nv_tileas<atom mma_f16_f16_f32>
// AS: "nv_tileas.tiled_store"
// CHECK: "nv_tileaa.return"
cuda_tile.module @m {
  entry @k(%x0: tile<ptr<f16>>, %y0: tile<ptr<f16>>, %z: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x = assume div_by<16>, %x0 : tile<ptr<f16>>
    %y = assume div_by<16>, %y0 : tile<ptr<f16>>
    %x_a = make_tensor_view %x, shape = [32, 144], strides = [144, 1] : tensor_view<32x144xf16, strides=[144, 1]>
    %x_v = make_partition_view %x_a : partition_view<tile=(32x16), tensor_view<32x144xf16, strides=[144, 1]>>
    %y_a = make_tensor_view %y, shape = [144, 32], strides = [32, 1] : tensor_view<144x32xf16, strides=[32, 1]>
    %y_v = make_partition_view %y_a : partition_view<tile=(16x32), tensor_view<144x32xf16, strides=[32, 1]>>
    %z_a = make_tensor_view %z, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32, 1]>
    %z_v = make_partition_view %z_a : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>
    %begin = constant <f32: 0.0> : tile<32x32xf32>
    %sum = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %begin) -> (tile<32x32xf32>) {
    %p, %p_t = load_view_tko weak %x_v[%zero, %c] : partition_view<tile=(32x16), tensor_view<32x144xf16, strides=[144, 1]>>, tile<i32> -> tile<32x16xf16>, token
    %q, %q_t = load_view_tko weak %y_v[%c, %zero] : partition_view<tile=(16x32), tensor_view<144x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %m = mmaf %p, %q, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
    continue %m : tile<32x32xf32>
}
    %sum_s = store_view_tko weak %sum, %z_v[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
