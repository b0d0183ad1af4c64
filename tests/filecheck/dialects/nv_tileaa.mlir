// Types and attributes of nv_tileaa.
// RUN: tilewright-opt %s --allow-unregistered-dialect | tilewright-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: %0:4 = "test.types"() : () -> (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<i1, 3>, !nv_tileaa.program_id, !nv_tileaa.mem_token)
// CHECK-NEXT:  %1:2 = "test.queues"() : () -> (!nv_tileaa.queue<()>, !nv_tileaa.queue<(tensor<8xf32>, i32), isolated = true>)
// CHECK-NEXT:  %2:2 = "test.memory"() : () -> (!nv_tileaa.memref<f32>, !nv_tileaa.memref<?x32xf32, strides = [?, 1], space = 3, alias_scope = 2>)
// CHECK-NEXT:  %3 = "test.view"() : () -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x32xf32, strides = [32, 1]>, [64, 32]>
// CHECK-NEXT:  "test.kernel"() {a = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[2,1,1]>, b = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, c = #nv_tileaa.compute_capability<100>, d = #nv_tileaa.target_spec<"sm_100a">} : () -> ()
// CHECK-NEXT:  "test.access"() {a = #nv_tileaa.cache_modifier<cg>, b = #nv_tileaa.eviction_policy<last>, c = #nv_tileaa.mem_semantic<acq_rel>, d = #nv_tileaa.mem_scope<tl_blk>, e = #nv_tileaa.rmw_mode<umax>, f = #nv_tileaa.padding_value<neg_inf>} : () -> ()
// CHECK-NEXT:  "test.numbers"() {a = #nv_tileaa.rounding_mode<nearest_even>, b = #nv_tileaa.propagate_nan<all>, c = #nv_tileaa.signedness<signed>} : () -> ()
// CHECK-NEXT:  "test.promises"() {a = #nv_tileaa.div_by<16>, b = #nv_tileaa.div_by<4, every 2 along 0>, c = #nv_tileaa.bounded<0, ?>, d = #nv_tileaa.same_elements<[1, 4]>} : () -> ()
// CHECK-NEXT:  "test.convolution"() {a = #nv_tileaa.activation_layout<nhwc>, b = #nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [2, 2]>} : () -> ()

"test.types"() : () -> (!nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<i1, 3>, !nv_tileaa.program_id, !nv_tileaa.mem_token)
"test.queues"() : () -> (!nv_tileaa.queue<()>, !nv_tileaa.queue<(tensor<8xf32>, i32), isolated = true>)
"test.memory"() : () -> (!nv_tileaa.memref<f32>, !nv_tileaa.memref<?x32xf32, strides = [?, 1], space = 3, alias_scope = 2>)
"test.view"() : () -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x32xf32, strides = [32, 1]>, [64, 32]>
"test.kernel"() {
  a = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[2,1,1]>,
  b = #nv_tileaa.kernel_spec,
  c = #nv_tileaa.compute-capability<100>,
  d = #nv_tileaa.target_spec<"sm_100a">
} : () -> ()
"test.access"() {
  a = #nv_tileaa.cache_modifier<cg>, b = #nv_tileaa.eviction_policy<last>, c = #nv_tileaa.mem_semantic<acq_rel>,
  d = #nv_tileaa.mem_scope<tl_blk>, e = #nv_tileaa.rmw_mode<umax>, f = #nv_tileaa.padding_value<neg_inf>
} : () -> ()
"test.numbers"() {
  a = #nv_tileaa.rounding_mode<nearest_even>, b = #nv_tileaa.propagate_nan<all>, c = #nv_tileaa.signedness<signed>
} : () -> ()
"test.promises"() {
  a = #nv_tileaa.div_by<16>, b = #nv_tileaa.div_by<4, every 2 along 0>, c = #nv_tileaa.bounded<0, ?>,
  d = #nv_tileaa.same_elements<[1, 4]>
} : () -> ()
"test.convolution"() {
  a = #nv_tileaa.activation_layout<nhwc>, b = #nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [2, 2]>
} : () -> ()
