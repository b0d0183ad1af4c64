module {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.tid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.tid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.tid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.tid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ntid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.ctaid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nctaid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.laneid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.warpid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.warpid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nwarpid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nwarpid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.warpsize : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.warpsize range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.smid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.smid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nsmid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nsmid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.gridid : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.gridid range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.lanemask.eq : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.lanemask.le : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.lanemask.lt : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.lanemask.ge : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.lanemask.gt : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clusterid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.nclusterid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctaid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.x range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.y range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctaid.z range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctarank : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.ctarank range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctarank : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.cluster.nctarank range <i32, 0, 32> : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clock : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.clock64 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.globaltimer : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.globaltimer.lo : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.dynamic.smem.size : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.total.smem.size : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.aggr.smem.size : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg0 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg1 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg2 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg3 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg4 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg5 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg6 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg7 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg8 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg9 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg10 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg11 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg12 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg13 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg14 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg15 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg16 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg17 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg18 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg19 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg20 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg21 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg22 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg23 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg24 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg25 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg26 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg27 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg28 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg29 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg30 : i32
}
// -----
module {
  %0 = nvvm.read.ptx.sreg.envreg31 : i32
}
// -----
module {
  nvvm.barrier0
}
// -----
module {
  nvvm.barrier
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  nvvm.barrier id = %0 number_of_threads = %1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = nvvm.barrier #nvvm.reduction<popc> %0 -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  nvvm.barrier.arrive number_of_threads = %0
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  nvvm.barrier.arrive id = %0 number_of_threads = %1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  nvvm.bar.warp.sync %0 : i32
}
// -----
module {
  nvvm.cluster.arrive
}
// -----
module {
  nvvm.cluster.arrive {aligned}
}
// -----
module {
  nvvm.cluster.arrive.relaxed
}
// -----
module {
  nvvm.cluster.arrive.relaxed {aligned}
}
// -----
module {
  nvvm.cluster.wait
}
// -----
module {
  nvvm.cluster.wait {aligned}
}
// -----
module {
  nvvm.memory.barrier <sys>
}
// -----
module {
  nvvm.fence.mbarrier.init
}
// -----
module {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
}
// -----
module {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  nvvm.fence.proxy.acquire <gpu> %0, %1
}
// -----
module {
  nvvm.fence.proxy.release <cta>
}
// -----
module {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
}
// -----
module {
  nvvm.fence.sc.cluster
}
// -----
module {
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
}
// -----
module {
  nvvm.griddepcontrol  launch_dependents
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr<3>
  nvvm.clusterlaunchcontrol.try.cancel %0, %1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr<3>
  nvvm.clusterlaunchcontrol.try.cancel multicast, %0, %1
}
// -----
module {
  %0 = "test.value"() : () -> i128
  %1 = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %0 : i1
}
// -----
module {
  %0 = "test.value"() : () -> i128
  %1 = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_y, %0 : i32
}
// -----
module {
  %0 = nvvm.elect.sync -> i1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = nvvm.elect.sync %0 -> i1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i64
  %2 = nvvm.match.sync  any %0, %1 : i64 -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = nvvm.match.sync  all %0, %1 : i32 -> !llvm.struct<(i32, i1)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = nvvm.redux.sync  umax %0, %1 : i32 -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> i32
  %2 = nvvm.redux.sync  fmax %0, %1 {abs = true, nan = true} : f32 -> f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> f32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = nvvm.shfl.sync  bfly %0, %1, %2, %3 : f32 -> f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = nvvm.shfl.sync  idx %0, %1, %2, %3 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i1
  %2 = nvvm.vote.sync  ballot %0, %1 -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i1
  %2 = nvvm.vote.sync  uni %0, %1 -> i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  nvvm.mbarrier.init %0, %1 : !llvm.ptr, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i1
  nvvm.mbarrier.init %0, %1, predicate = %2 : !llvm.ptr, i32, i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  nvvm.mbarrier.inval %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = nvvm.mbarrier.arrive %0 : !llvm.ptr<3> -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> i32
  nvvm.mbarrier.arrive %0, %1 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mbarrier.arrive.nocomplete %0, %1 : !llvm.ptr, i32 -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mbarrier.arrive.expect_tx %0, %1 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i1
  nvvm.mbarrier.arrive.expect_tx %0, %1, predicate = %2 : !llvm.ptr, i32, i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mbarrier.arrive_drop %0, %1 : !llvm.ptr<3> -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mbarrier.arrive_drop.nocomplete %0, %1 : !llvm.ptr, i32 -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mbarrier.arrive_drop.expect_tx %0, %1 {relaxed = true} : !llvm.ptr<3>, i32 -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> i32
  nvvm.mbarrier.expect_tx %0, %1 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  nvvm.mbarrier.complete_tx %0, %1 : !llvm.ptr<3>, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i64
  %2 = nvvm.mbarrier.test.wait %0, %1 {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i64 -> i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = nvvm.mbarrier.try_wait %0, %1, %2 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i32 -> i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  nvvm.mbarrier.try_wait.parity %0, %1, %2 : !llvm.ptr, i32, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr<1>
  nvvm.cp.async.shared.global %0, %1, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr<1>
  %2 = "test.value"() : () -> i32
  nvvm.cp.async.shared.global %0, %1, 4, cache =  ca, %2 : !llvm.ptr<3>, !llvm.ptr<1>, i32
}
// -----
module {
  nvvm.cp.async.commit.group
}
// -----
module {
  nvvm.cp.async.wait.group 1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  nvvm.cp.async.mbarrier.arrive %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  nvvm.cp.async.mbarrier.arrive %0 {noinc = true} : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> !llvm.ptr<1>
  %2 = "test.value"() : () -> !llvm.ptr<3>
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i16
  %5 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.shared.cluster.global %0, %1, %2, %3 multicast_mask = %4 l2_cache_hint = %5 : !llvm.ptr<7>, <1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr<1>
  %2 = "test.value"() : () -> !llvm.ptr<3>
  %3 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.shared.cluster.global %0, %1, %2, %3 : !llvm.ptr<3>, <1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.global.shared.cta %0, %1, %2 : <1>, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i64
  %4 = "test.value"() : () -> i16
  nvvm.cp.async.bulk.global.shared.cta %0, %1, %2 l2_cache_hint = %3 byte_mask = %4 : <1>, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> !llvm.ptr<3>
  %3 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.shared.cluster.shared.cta %0, %1, %2, %3 : <7>, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.prefetch %0, %1 : <1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.prefetch %0, %1 l2_cache_hint = %2 : <1>
}
// -----
module {
  nvvm.cp.async.bulk.commit.group
}
// -----
module {
  nvvm.cp.async.bulk.wait_group 1
}
// -----
module {
  nvvm.cp.async.bulk.wait_group 1 {read}
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.shared.cluster.global %0, %1, %4, box[%2, %3] : !llvm.ptr<7>, !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<7>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> !llvm.ptr<3>
  %6 = "test.value"() : () -> i16
  %7 = "test.value"() : () -> i16
  %8 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.tensor.shared.cluster.global %0, %1, %5, box[%2, %3, %4] im2col[%6] multicast_mask = %7 l2_cache_hint = %8 {group = #nvvm.cta_group<cta_2>, mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.shared.cluster.global %0, %1, %3, box[%2] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  nvvm.cp.async.bulk.tensor.global.shared.cta %0, %1, box[%2, %3], predicate = %4 : !llvm.ptr, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> i32
  %6 = "test.value"() : () -> i32
  %7 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.tensor.global.shared.cta %0, %1, box[%2, %3, %4, %5, %6] l2_cache_hint = %7 {mode = #nvvm.tma_store_mode<tile_scatter4>} : !llvm.ptr, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.tensor.prefetch %0, box[%1] l2_cache_hint = %2 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.tensor.prefetch %0, box[%1, %2, %3, %4, %5] {mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i64
  nvvm.cp.async.bulk.tensor.reduce %0, %1, box[%2] l2_cache_hint = %3 {redKind = #nvvm.tma_redux_kind<xor>} : !llvm.ptr, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr<3>
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  nvvm.cp.async.bulk.tensor.reduce %0, %1, box[%2, %3, %4] {mode = #nvvm.tma_store_mode<im2col>, redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, <3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i64
  nvvm.st.bulk %0, size = %1 : !llvm.ptr<3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<5>
  nvvm.prefetch level =  L1, %0 : !llvm.ptr<5>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  nvvm.prefetch level =  L2, evict_priority =  evict_last, %0 : !llvm.ptr<1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i1
  nvvm.prefetch tensormap, %0, predicate = %1 : !llvm.ptr, i1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = nvvm.mapa %0, %1 : !llvm.ptr -> !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = nvvm.convert.float.to.tf32 %0 {relu = true, rnd = #nvvm.fp_rnd_mode<rn>}
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = nvvm.convert.float.to.tf32 %0 {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.f16x2 %0, %1 {relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = "test.value"() : () -> i32
  %3 = nvvm.convert.f32x2.to.f16x2 %0, %1, %2 {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.bf16x2 %0, %1 {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.f8x2 %0, %1 {relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16(f8E4M3FN)
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.f8x2 %0, %1 {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xi8>(f8E8M0FNU)
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xf16>
  %1 = nvvm.convert.f16x2.to.f8x2 %0 {relu = true} : vector<2xf16> -> i16(f8E5M2)
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xbf16>
  %1 = nvvm.convert.bf16x2.to.f8x2 %0 {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16> -> i16(f8E8M0FNU)
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.f6x2 %0, %1 {relu = true} : i16(f6E2M3FN)
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = nvvm.convert.f32x2.to.f4x2 %0, %1 : i8(f4E2M1FN)
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.convert.f32x4.to.f8x4 %0, %1 {relu = true} : vector<4xf32> -> vector<4xi8>(f8E5M2)
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.convert.f32x4.to.f6x4 %0, %1 : vector<4xf32> -> vector<4xi8>(f6E3M2FN)
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> i32
  %2 = nvvm.convert.f32x4.to.f4x4 %0, %1 : vector<4xf32> -> i16(f4E2M1FN)
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi8>
  %1 = nvvm.convert.f8x2.to.f16x2 %0 {relu = true} : vector<2xi8>(f8E4M3FN) -> vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi8>
  %1 = nvvm.convert.f8x2.to.bf16x2 %0 : vector<2xi8>(f8E8M0FNU) -> vector<2xbf16>
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi8>
  %1 = nvvm.convert.f6x2.to.f16x2 %0 : vector<2xi8>(f6E2M3FN) -> vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> i8
  %1 = nvvm.convert.f4x2.to.f16x2 %0 {relu = true} : i8(f4E2M1FN) -> vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = nvvm.rcp.approx.ftz.f %0 : f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = nvvm.prmt <default> %2, %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = nvvm.prmt <rc16> %1, %0 : i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi16>
  %1 = "test.value"() : () -> vector<4xi8>
  %2 = "test.value"() : () -> i32
  %3 = nvvm.dot.accumulate.2way %0 <unsigned>, %1 <unsigned>, %2 {b_hi = true} : vector<2xi16>, vector<4xi8>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi8>
  %1 = "test.value"() : () -> vector<4xi8>
  %2 = "test.value"() : () -> i32
  %3 = nvvm.dot.accumulate.4way %0 <unsigned>, %1 <unsigned>, %2 : vector<4xi8>, vector<4xi8>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = nvvm.ldmatrix %0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = nvvm.ldmatrix %0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = nvvm.ldmatrix %0 {eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  nvvm.stmatrix %0, %1 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  nvvm.stmatrix %0, %1, %2 {eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : !llvm.ptr<3>, i32, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = nvvm.wmma.load %0, %1 {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> vector<2xf16>
  %2 = "test.value"() : () -> vector<2xf16>
  %3 = "test.value"() : () -> vector<2xf16>
  %4 = "test.value"() : () -> vector<2xf16>
  %5 = "test.value"() : () -> i32
  nvvm.wmma.store %0, %5, %1, %2, %3, %4 {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xf16>
  %1 = "test.value"() : () -> vector<2xf16>
  %2 = "test.value"() : () -> vector<2xf16>
  %3 = "test.value"() : () -> vector<2xf16>
  %4 = "test.value"() : () -> vector<2xf16>
  %5 = "test.value"() : () -> vector<2xf16>
  %6 = "test.value"() : () -> vector<2xf16>
  %7 = "test.value"() : () -> vector<2xf16>
  %8 = "test.value"() : () -> vector<2xf16>
  %9 = "test.value"() : () -> vector<2xf16>
  %10 = "test.value"() : () -> vector<2xf16>
  %11 = "test.value"() : () -> vector<2xf16>
  %12 = "test.value"() : () -> vector<2xf16>
  %13 = "test.value"() : () -> vector<2xf16>
  %14 = "test.value"() : () -> vector<2xf16>
  %15 = "test.value"() : () -> vector<2xf16>
  %16 = "test.value"() : () -> vector<2xf16>
  %17 = "test.value"() : () -> vector<2xf16>
  %18 = "test.value"() : () -> vector<2xf16>
  %19 = "test.value"() : () -> vector<2xf16>
  %20 = nvvm.wmma.mma %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19 {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xf16>
  %1 = "test.value"() : () -> vector<2xf16>
  %2 = "test.value"() : () -> vector<2xf16>
  %3 = "test.value"() : () -> vector<2xf16>
  %4 = "test.value"() : () -> vector<2xf16>
  %5 = "test.value"() : () -> vector<2xf16>
  %6 = "test.value"() : () -> f32
  %7 = "test.value"() : () -> f32
  %8 = "test.value"() : () -> f32
  %9 = "test.value"() : () -> f32
  %10 = nvvm.mma.sync A[%0, %1, %2, %3]  B[%4, %5]  C[%6, %7, %8, %9]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> i32
  %6 = "test.value"() : () -> i32
  %7 = "test.value"() : () -> i32
  %8 = "test.value"() : () -> i32
  %9 = "test.value"() : () -> i32
  %10 = nvvm.mma.sync A[%0, %1, %2, %3]  B[%4, %5]  C[%6, %7, %8, %9]  {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xf16>
  %1 = "test.value"() : () -> vector<2xf16>
  %2 = "test.value"() : () -> vector<2xf16>
  %3 = "test.value"() : () -> vector<2xf16>
  %4 = "test.value"() : () -> f32
  %5 = "test.value"() : () -> f32
  %6 = "test.value"() : () -> f32
  %7 = "test.value"() : () -> f32
  %8 = "test.value"() : () -> i32
  %9 = "test.value"() : () -> i32
  %10 = nvvm.mma.sp.sync A[%0, %1] B[%2, %3] C[%4, %5, %6, %7] sparseMetadata[%8] selector[%9] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> i32
  %6 = "test.value"() : () -> f32
  %7 = "test.value"() : () -> f32
  %8 = "test.value"() : () -> f32
  %9 = "test.value"() : () -> f32
  %10 = "test.value"() : () -> i32
  %11 = "test.value"() : () -> i16
  %12 = "test.value"() : () -> i16
  %13 = "test.value"() : () -> i32
  %14 = "test.value"() : () -> i16
  %15 = "test.value"() : () -> i16
  %16 = nvvm.mma.block_scale A[%0, %1, %2, %3] B[%4, %5] C[%6, %7, %8, %9] scaleA[%10, %11, %12] scaleB[%13, %14, %15] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i32
  %5 = "test.value"() : () -> i32
  %6 = "test.value"() : () -> i32
  %7 = "test.value"() : () -> i32
  %8 = "test.value"() : () -> f32
  %9 = "test.value"() : () -> f32
  %10 = "test.value"() : () -> f32
  %11 = "test.value"() : () -> f32
  %12 = "test.value"() : () -> i32
  %13 = "test.value"() : () -> i32
  %14 = "test.value"() : () -> i32
  %15 = "test.value"() : () -> i16
  %16 = "test.value"() : () -> i16
  %17 = "test.value"() : () -> i32
  %18 = "test.value"() : () -> i16
  %19 = "test.value"() : () -> i16
  %20 = nvvm.mma.sp.block_scale A[%0, %1, %2, %3] B[%4, %5, %6, %7] C[%8, %9, %10, %11] sparseMetadata[%12] selector[%13] scaleA[%14, %15, %16] scaleB[%17, %18, %19] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, orderedMetadata, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
}
// -----
module {
  nvvm.wgmma.fence.aligned
}
// -----
module {
  nvvm.wgmma.commit.group.sync.aligned
}
// -----
module {
  nvvm.wgmma.wait.group.sync.aligned 1
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.struct<(f32, f32, f32, f32)>
  %1 = "test.value"() : () -> i64
  %2 = "test.value"() : () -> i64
  %3 = nvvm.wgmma.mma_async %1, %2, %0, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <neg>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  nvvm.tcgen05.alloc %0, %1 : !llvm.ptr, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  nvvm.tcgen05.alloc %0, %1 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i32
  nvvm.tcgen05.dealloc %0, %1 : !llvm.ptr<6>, i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i32
  nvvm.tcgen05.dealloc %0, %1 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
}
// -----
module {
  nvvm.tcgen05.relinquish_alloc_permit
}
// -----
module {
  nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
}
// -----
module {
  nvvm.tcgen05.fence <after>
}
// -----
module {
  nvvm.tcgen05.wait <store>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  nvvm.tcgen05.commit %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i16
  nvvm.tcgen05.commit %0, multicast_mask = %1 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i16
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  nvvm.tcgen05.shift %0 : !llvm.ptr<6>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  nvvm.tcgen05.shift %0 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  nvvm.tcgen05.cp %0, %1 {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  nvvm.tcgen05.cp %0, %1 {group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = nvvm.tcgen05.ld %0 {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  %2 = nvvm.tcgen05.ld %0, %1 pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> vector<4xi32>
  nvvm.tcgen05.st %0, %1 unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<4xi32>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> vector<2xi32>
  %2 = "test.value"() : () -> i64
  nvvm.tcgen05.st %0, %1, %2 {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = "test.value"() : () -> i8
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> i8
  %6 = nvvm.tcgen05.mma_smem_desc(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i8, i1, i8) -> i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  nvvm.tcgen05.mma %0, %1, %2, %3, %4 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> i64
  %6 = "test.value"() : () -> vector<8xi32>
  nvvm.tcgen05.mma %0, %1, %2, %3, %4 scale = %5 mask = %6 {aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64, vector<8xi32>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> !llvm.ptr<6>
  %6 = "test.value"() : () -> vector<4xi32>
  nvvm.tcgen05.mma.sp %0, %1, %2, %3, %4, %5 mask = %6 {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> !llvm.ptr<6>
  %6 = "test.value"() : () -> !llvm.ptr<6>
  nvvm.tcgen05.mma.block_scale %0, %1, %2, %3, %4, %5, %6 {blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> i64
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> !llvm.ptr<6>
  %6 = "test.value"() : () -> !llvm.ptr<6>
  %7 = "test.value"() : () -> !llvm.ptr<6>
  nvvm.tcgen05.mma.sp.block_scale %0, %1, %2, %3, %4, %5, %6, %7 {blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  nvvm.tcgen05.mma.ws %0, %1, %2, %3, %4 {kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> i64
  nvvm.tcgen05.mma.ws %0, %1, %2, %3, %4, %5 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> !llvm.ptr<6>
  nvvm.tcgen05.mma.ws.sp %0, %1, %2, %3, %4, %5 {kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<6>
  %1 = "test.value"() : () -> !llvm.ptr<6>
  %2 = "test.value"() : () -> i64
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> i1
  %5 = "test.value"() : () -> !llvm.ptr<6>
  %6 = "test.value"() : () -> i64
  nvvm.tcgen05.mma.ws.sp %0, %1, %2, %3, %4, %5, %6 {collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<tf32>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, i64)
}
// -----
module {
  nvvm.breakpoint
}
// -----
module {
  nvvm.exit
}
// -----
module {
  %0 = "test.value"() : () -> i32
  nvvm.nanosleep %0
}
// -----
module {
  nvvm.pmevent id = 1
}
// -----
module {
  nvvm.pmevent mask = 5
}
// -----
module {
  nvvm.setmaxregister  decrease 40
}
// -----
module {
  nvvm.inline_ptx "text"
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i1
  %3 = nvvm.inline_ptx "text" ro(%0 : i32) rw(%1 : i32), predicate = %2 -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "nvvm.multimem.ld_reduce"(%0) <{bin_op = 1 : i64, ordering = 0 : i64}> : (!llvm.ptr<1>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "nvvm.multimem.ld_reduce"(%0) <{bin_op = 14 : i64, ordering = 4 : i64, syncscope = "device"}> : (!llvm.ptr) -> vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> !llvm.ptr<1>
  "nvvm.multimem.st"(%0, %1) <{ordering = 5 : i64}> : (vector<4xf32>, !llvm.ptr<1>) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> f64
  "nvvm.multimem.red"(%0, %1) <{bin_op = 11 : i64, ordering = 2 : i64}> : (!llvm.ptr<1>, f64) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> i1
  %2 = "test.value"() : () -> vector<4xf32>
  %3 = "test.value"() : () -> vector<4xf32>
  %4:2 = "nvvm.predicated.load"(%0, %1, %2, %3) <{alignment = 16 : i64}> : (!llvm.ptr<1>, i1, vector<4xf32>, vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i1
  %2 = "test.value"() : () -> i8
  %3 = "nvvm.predicated.load"(%0, %1, %2) <{alignment = 1 : i64}> : (!llvm.ptr, i1, i8) -> i8
}
// -----
module {
  %0 = "test.value"() : () -> f64
  %1 = "test.value"() : () -> f64
  %2 = "test.value"() : () -> !llvm.ptr<3>
  %3 = "test.value"() : () -> i1
  "nvvm.predicated.store"(%0, %1, %2, %3) <{alignment = 8 : i64}> : (f64, f64, !llvm.ptr<3>, i1) -> ()
}
