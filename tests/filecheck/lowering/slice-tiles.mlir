// A tile that is too large for registers is an array of its threads, and loops over slices compute it.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-slice-tiles{elements=4 slice=256})' | FileCheck %s
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-slice-tiles)' | FileCheck %s --check-prefix=SMALL

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k"}> ({
^bb0(%p: !nv_tileaa.ptr<f32, 1>):
  // Up to 64 elements for each thread stay in registers.
  // SMALL-NOT: thread_arrays

  // 512 elements are four for each of 128 threads.
  // CHECK: %[[ARRAY:.*]] = "nv_tileas.alloc_tensor"() : () -> tensor<1024xf32, #nv_tileas.thread_arrays<128>>
  // CHECK: %[[LOADED:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[ARRAY]],
  // CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c512
  // CHECK: %[[SLICE:.*]]:2 = "nv_tileas.load"({{.*}} -> (tensor<512xf32>, !nv_tileaa.mem_token)
  // CHECK: "nv_tileas.insert_slice"(%[[SLICE]]#0, %[[A]], %[[AT]]) <{sizes = array<i64: 512>}>

  // The sum is computed in the loop of its user; all loads come before the stores.
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = "nv_tileas.extract_slice"(%[[LOADED]]#0, %{{.*}}) <{sizes = array<i64: 512>}>
  // CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[X]] : tensor<512xf32>
  // CHECK: "nv_tileas.store"(%{{.*}}, %[[SUM]], %[[LOADED]]#1)
  %0 = "nv_tileas.generate"() ({
  ^bb0(%i: index):
    %a = arith.index_cast %i : index to i64
    %b = "nv_tileaa.addptr"(%p, %a) : (!nv_tileaa.ptr<f32, 1>, i64) -> !nv_tileaa.ptr<f32, 1>
    "nv_tileas.yield"(%b) : (!nv_tileaa.ptr<f32, 1>) -> ()
  }) : () -> tensor<1024x!nv_tileaa.ptr<f32, 1>>
  %1:2 = "nv_tileas.load"(%0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<1024x!nv_tileaa.ptr<f32, 1>>) -> (tensor<1024xf32>, !nv_tileaa.mem_token)
  %2 = arith.addf %1#0, %1#0 : tensor<1024xf32>
  %3 = "nv_tileas.store"(%0, %2, %1#1) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (tensor<1024x!nv_tileaa.ptr<f32, 1>>, tensor<1024xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
