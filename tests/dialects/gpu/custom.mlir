module {
  gpu.module @m [#nvvm.target<chip = "sm_90">] {
    gpu.func @k(%arg0: memref<4xf32>, %arg1: index) workgroup(%arg2 : memref<32xf32, #gpu.address_space<workgroup>>) private(%arg3 : memref<1xf32, #gpu.address_space<private>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread_id_x = gpu.thread_id  x upper_bound 128
      %0 = gpu.lane_id
      gpu.barrier
      gpu.return
    }
    gpu.func @g(%arg0: f32) -> f32 {
      gpu.return %arg0 : f32
    }
  }
  module attributes {gpu.container_module} {
    gpu.module @kernels {
      gpu.func @k(%arg0: i32) kernel {
        gpu.return
      }
    }
    func.func @main(%arg0: index, %arg1: i32, %arg2: i32) {
      %0 = gpu.wait async
      gpu.launch_func  @kernels::@k blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  dynamic_shared_memory_size %arg2 args(%arg1 : i32)
      %1 = gpu.launch_func async [%0] @kernels::@k clusters in (%arg0, %arg0, %arg0) blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  args(%arg1 : i32)
      gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
        gpu.terminator
      }
      %memref, %asyncToken = gpu.alloc async [%0] (%arg0) : memref<?xf32, 1>
      %memref_0 = gpu.alloc  host_shared () : memref<4xf32>
      %2 = gpu.memcpy async [%asyncToken] %memref, %memref : memref<?xf32, 1>, memref<?xf32, 1>
      gpu.dealloc  %memref_0 : memref<4xf32>
      gpu.wait [%2]
      return
    }
    func.func @r(%arg0: f32, %arg1: i32, %arg2: i32) {
      %shuffleResult, %valid = gpu.shuffle  xor %arg0, %arg1, %arg2 : f32
      %rotateResult, %valid_0 = gpu.rotate %arg0, 1, 32 : f32
      %0 = gpu.all_reduce  add %arg0 uniform {
      } : (f32) -> f32
      %1 = gpu.all_reduce  %arg0 {
      ^bb0(%arg3: f32, %arg4: f32):
        gpu.yield %arg3 : f32
      } : (f32) -> f32
      %2 = gpu.subgroup_reduce  maxnumf %arg0 cluster(size = 4, stride = 2) : (f32) -> f32
      %3 = gpu.subgroup_broadcast %arg0,  specific_lane %arg1 : f32
      gpu.printf "x %f", %arg0 : f32
      return
    }
    func.func @w(%arg0: index) {
      gpu.warp_execute_on_lane_0(%arg0)[32] {
      }
      return
    }
  }
}
// -----
module {
  func.func @ids() {
    %block_id_y = gpu.block_id  y
    %block_dim_z = gpu.block_dim  z upper_bound 64
    %grid_dim_x = gpu.grid_dim  x
    %global_id_x = gpu.global_id  x
    %cluster_id_x = gpu.cluster_id  x
    %cluster_dim_x = gpu.cluster_dim  x
    %cluster_dim_blocks_x = gpu.cluster_dim_blocks  x
    %cluster_block_id_x = gpu.cluster_block_id  x
    %0 = gpu.subgroup_id : index
    %1 = gpu.num_subgroups upper_bound 32 : index
    %2 = gpu.subgroup_size : index
    %3 = gpu.lane_id upper_bound 32
    return
  }
}
// -----
module {
  func.func @mem(%arg0: memref<4xf32>, %arg1: f32, %arg2: memref<*xf32>, %arg3: i32) {
    gpu.memset  %arg0, %arg1 : memref<4xf32>, f32
    gpu.host_register %arg2 : memref<*xf32>
    gpu.host_unregister %arg2 : memref<*xf32>
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.set_default_device %arg3
    return
  }
}
// -----
module {
  func.func @mma(%arg0: memref<32x32xf16>, %arg1: index, %arg2: f16) {
    %0 = gpu.subgroup_mma_load_matrix %arg0[%arg1, %arg1] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = gpu.subgroup_mma_load_matrix %arg0[%arg1, %arg1] {leadDimension = 32 : index, transpose} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = gpu.subgroup_mma_constant_matrix %arg2 : !gpu.mma_matrix<16x16xf16, "COp">
    %3 = gpu.subgroup_mma_compute %0, %1, %2 {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
    %4 = gpu.subgroup_mma_elementwise  addf %3, %2 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
    %5 = gpu.subgroup_mma_extract_thread_local %4[%arg1] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
    %6 = gpu.subgroup_mma_insert_thread_local %5, %4[%arg1] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %6, %arg0[%arg1, %arg1] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16>
    return
  }
}
// -----
module {
  "test.op"() {mapping = [#gpu.thread<x>, #gpu.block<linear_dim_0>, #gpu.warp<y>, #gpu.lane<x>, #gpu.warpgroup<z>, #gpu.memory_space<workgroup>]} : () -> ()
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90">] attributes {a} {
    gpu.func @k(%arg0: f32 {llvm.noundef}, %arg1: memref<?xf32>) workgroup(%arg2 : memref<32xf32, 3> {llvm.align = 16 : i64}, %arg3 : memref<3xf32, 3>) private(%arg4 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, x} {
      gpu.return
    }
    gpu.func @d(%arg0: f32) -> (f32 {llvm.x}, i32) {
      %c1_i32 = arith.constant 1 : i32
      gpu.return %arg0, %c1_i32 : f32, i32
    }
    gpu.func @d2(%arg0: f32) -> f32 private(%arg1 : memref<1xf32, 5>) {
      gpu.return %arg0 : f32
    }
    gpu.func @e() kernel {
      gpu.return
    }
  }
  func.func @f(%arg0: index, %arg1: i32, %arg2: f32, %arg3: memref<?xf32>, %arg4: i64, %arg5: !gpu.async.token, %arg6: memref<4x?x?xf32>, %arg7: !llvm.ptr, %arg8: vector<4xf32>) {
    gpu.launch blocks(%arg9, %arg10, %arg11) in (%arg15 = %arg0, %arg16 = %arg0, %arg17 = %arg0) threads(%arg12, %arg13, %arg14) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) {
      gpu.terminator
    }
    %0 = gpu.launch async [%arg5] clusters(%arg21, %arg22, %arg23) in (%arg24 = %arg0, %arg25 = %arg0, %arg26 = %arg0) blocks(%arg9, %arg10, %arg11) in (%arg15 = %arg0, %arg16 = %arg0, %arg17 = %arg0) threads(%arg12, %arg13, %arg14) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) dynamic_shared_memory_size %arg1 module(@q) function(@r) workgroup(%arg27 : memref<32xf32, 3>) private(%arg28 : memref<1xf32, 5>) {
      %18 = arith.addi %arg9, %arg21 : index
      gpu.terminator
    } {foo}
    %1 = gpu.launch async blocks(%arg9, %arg10, %arg11) in (%arg15 = %arg0, %arg16 = %arg0, %arg17 = %arg0) threads(%arg12, %arg13, %arg14) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) private(%arg21 : memref<1xf32, 5>, %arg22 : memref<1xf32, 5>) {
      gpu.terminator
    }
    gpu.launch_func  @m::@k blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  args(%arg2 : f32, %arg3 : memref<?xf32>)
    gpu.launch_func  @m::@e blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  dynamic_shared_memory_size %arg1  {z}
    %2 = gpu.launch_func async [%arg5, %0] @m::@e clusters in (%arg4, %arg4, %arg4) blocks in (%arg4, %arg4, %arg4) threads in (%arg4, %arg4, %arg4) : i64 
    gpu.launch_func <%arg7 : !llvm.ptr> @m::@e blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  
    gpu.launch_func [%arg5] @m::@e clusters in (%arg0, %arg0, %arg0) blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  
    %memref = gpu.alloc  () : memref<4xf32>
    %memref_0, %asyncToken = gpu.alloc async [%arg5] host_shared (%arg0, %arg0) : memref<4x?x?xf32>
    %memref_1 = gpu.alloc  (%arg0)[%arg0] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
    %memref_2 = gpu.alloc [%arg5] () : memref<4xf32>
    %3 = gpu.dealloc async [%asyncToken] %memref_0 : memref<4x?x?xf32>
    gpu.dealloc  %memref : memref<4xf32>
    gpu.memcpy  %memref, %memref : memref<4xf32>, memref<4xf32>
    %4 = gpu.memcpy async [%3] %memref, %memref : memref<4xf32>, memref<4xf32> {k}
    %5 = gpu.memset async %memref, %arg2 : memref<4xf32>, f32
    gpu.memset  %memref, %arg2 : memref<4xf32>, f32
    gpu.wait 
    gpu.wait [%3]
    %6 = gpu.wait async
    %7 = gpu.wait async [%6, %5]
    %8 = gpu.all_reduce  add %arg2 {
    } : (f32) -> f32
    %9 = gpu.all_reduce  %arg2 uniform {
    ^bb0(%arg9: f32, %arg10: f32):
      gpu.yield %arg9 : f32
    } {foo} : (f32) -> f32
    %10 = gpu.subgroup_reduce  maxnumf %arg2 uniform : (f32) -> f32
    %11 = gpu.subgroup_reduce  maxnumf %arg2 cluster(size = 4) : (f32) -> f32
    %12 = gpu.subgroup_reduce  maxnumf %arg2 cluster(size = 4, stride = 2) : (f32) -> f32
    %shuffleResult, %valid = gpu.shuffle  xor %arg2, %arg1, %arg1 : f32
    %rotateResult, %valid_3 = gpu.rotate %arg2, 1, 32 : f32
    %13 = gpu.subgroup_broadcast %arg2,  first_active_lane : f32
    %14 = gpu.subgroup_broadcast %arg2,  specific_lane %arg1 : f32
    gpu.printf "hello\0A"
    gpu.printf "h %d %f", %arg1, %arg2 : i32, f32
    %15 = gpu.warp_execute_on_lane_0(%arg0)[32] -> (vector<1xf32>) {
      %18 = "test.v"() : () -> vector<32xf32>
      gpu.yield %18 : vector<32xf32>
    }
    gpu.warp_execute_on_lane_0(%arg0)[32] args(%arg8 : vector<4xf32>) {
    ^bb0(%arg9: vector<128xf32>):
    } {a}
    gpu.warp_execute_on_lane_0(%arg0)[32] {
    }
    %16 = gpu.lane_id
    %thread_id_x = gpu.thread_id  x
    %block_dim_z = gpu.block_dim  z upper_bound 4
    gpu.barrier
    %17 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    return
  }
}
