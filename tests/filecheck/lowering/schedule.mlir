// A loop with a product gets a schedule, and becomes a pipeline from it.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa{compute-capability=sm_80},convert-tileaa-to-tileas,nv-tileas-lower-view-accesses,canonicalize,cse,nv-tileas-assign-layouts,nv-tileas-remove-conversions,nv-tileas-hoist-conversions,nv-tileas-materialise-conversions,nv-tileas-generate-schedule)' --verify-diagnostics
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa{compute-capability=sm_80},convert-tileaa-to-tileas,nv-tileas-lower-view-accesses,canonicalize,cse,nv-tileas-assign-layouts,nv-tileas-remove-conversions,nv-tileas-hoist-conversions,nv-tileas-materialise-conversions,nv-tileas-materialise-schedule)' | FileCheck %s

// CHECK: %[[PIPE:.*]] = "nv_tileas.async.pipeline.create_pipeline"() <{consumerGroupId = 0 : i32, numStages = [[STAGES:[0-9]+]] : i32, producerGroupId = 0 : i32, sharedMem}>
// CHECK: %[[FIRST:.*]] = "nv_tileas.async.pipeline.create_iterator"(%[[PIPE]])
// Before the loop, all stages but one are filled; a tile that the array does not have is zero.
// CHECK: "nv_tileas.async.pipeline.produce_one_async"(%[[PIPE]], %[[FIRST]])
// CHECK: "nv_tileas.async.load"
// CHECK: %[[SECOND:.*]] = "nv_tileas.async.pipeline.inc_iter"(%[[FIRST]])
// CHECK: "nv_tileas.async.pipeline.produce_one_async"(%[[PIPE]], %[[SECOND]])
// An iteration reads its tiles, begins to copy later ones, and multiplies.
// CHECK: scf.for
// CHECK: %[[TILES:.*]]:2 = "nv_tileas.async.pipeline.consume_one"(%[[PIPE]],
// CHECK: "nv_tileas.tiled_load"
// CHECK: "nv_tileas.tiled_load"
// CHECK: "nv_tileas.async.pipeline.produce_one_async"(%[[PIPE]],
// CHECK: "nv_tileas.async.load"
// CHECK: "nv_tileas.async.load"
// CHECK: "nv_tileas.dot"(%[[TILES]]#0
// CHECK: scf.yield
// No copy is on its way when the loop has ended.
// CHECK: "nv_tileas.async.wait"
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
    // expected-remark@+1 {{an iteration begins every}}
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
