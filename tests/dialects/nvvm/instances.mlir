"nvvm.read.ptx.sreg.tid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.tid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.tid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.tid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.tid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ntid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.ctaid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nctaid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.laneid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.laneid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.warpid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.warpid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nwarpid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nwarpid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.warpsize"() : () -> i32
// -----
"nvvm.read.ptx.sreg.warpsize"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.smid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.smid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nsmid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nsmid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.gridid"() : () -> i32
// -----
"nvvm.read.ptx.sreg.gridid"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.lanemask.eq"() : () -> i32
// -----
"nvvm.read.ptx.sreg.lanemask.le"() : () -> i32
// -----
"nvvm.read.ptx.sreg.lanemask.lt"() : () -> i32
// -----
"nvvm.read.ptx.sreg.lanemask.ge"() : () -> i32
// -----
"nvvm.read.ptx.sreg.lanemask.gt"() : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.clusterid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.nclusterid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctaid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.x"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.x"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.y"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.y"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.z"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctaid.z"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctarank"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.ctarank"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctarank"() : () -> i32
// -----
"nvvm.read.ptx.sreg.cluster.nctarank"() <{range = #llvm.constant_range<i32, 0, 32>}> : () -> i32
// -----
"nvvm.read.ptx.sreg.clock"() : () -> i32
// -----
"nvvm.read.ptx.sreg.clock64"() : () -> i32
// -----
"nvvm.read.ptx.sreg.globaltimer"() : () -> i32
// -----
"nvvm.read.ptx.sreg.globaltimer.lo"() : () -> i32
// -----
"nvvm.read.ptx.sreg.dynamic.smem.size"() : () -> i32
// -----
"nvvm.read.ptx.sreg.total.smem.size"() : () -> i32
// -----
"nvvm.read.ptx.sreg.aggr.smem.size"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg0"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg1"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg2"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg3"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg4"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg5"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg6"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg7"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg8"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg9"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg10"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg11"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg12"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg13"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg14"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg15"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg16"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg17"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg18"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg19"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg20"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg21"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg22"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg23"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg24"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg25"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg26"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg27"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg28"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg29"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg30"() : () -> i32
// -----
"nvvm.read.ptx.sreg.envreg31"() : () -> i32
// -----
"nvvm.barrier0"() : () -> ()
// -----
"nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// -----
"nvvm.barrier"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()
// -----
"nvvm.barrier"(%0) <{operandSegmentSizes = array<i32: 0, 0, 1>, reductionOp = #nvvm.reduction<popc>}> : (i32) -> i32
// -----
"nvvm.barrier.arrive"(%0) : (i32) -> ()
// -----
"nvvm.barrier.arrive"(%0, %1) : (i32, i32) -> ()
// -----
"nvvm.bar.warp.sync"(%0) : (i32) -> ()
// -----
"nvvm.cluster.arrive"() : () -> ()
// -----
"nvvm.cluster.arrive"() <{aligned}> : () -> ()
// -----
"nvvm.cluster.arrive.relaxed"() : () -> ()
// -----
"nvvm.cluster.arrive.relaxed"() <{aligned}> : () -> ()
// -----
"nvvm.cluster.wait"() : () -> ()
// -----
"nvvm.cluster.wait"() <{aligned}> : () -> ()
// -----
"nvvm.memory.barrier"() <{scope = #nvvm.mem_scope<sys>}> : () -> ()
// -----
"nvvm.fence.mbarrier.init"() : () -> ()
// -----
"nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}> : () -> ()
// -----
"nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<alias>}> : () -> ()
// -----
"nvvm.fence.proxy.acquire"(%0, %1) <{scope = #nvvm.mem_scope<gpu>}> : (!llvm.ptr, i32) -> ()
// -----
"nvvm.fence.proxy.release"() <{scope = #nvvm.mem_scope<cta>}> : () -> ()
// -----
"nvvm.fence.proxy.sync_restrict"() <{order = #nvvm.mem_order<acquire>}> : () -> ()
// -----
"nvvm.fence.sc.cluster"() : () -> ()
// -----
"nvvm.fence.sync_restrict"() <{order = #nvvm.mem_order<release>}> : () -> ()
// -----
"nvvm.griddepcontrol"() <{kind = #nvvm<grid_dep_action launch_dependents>}> : () -> ()
// -----
"nvvm.clusterlaunchcontrol.try.cancel"(%0, %1) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
// -----
"nvvm.clusterlaunchcontrol.try.cancel"(%0, %1) <{multicast}> : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
// -----
"nvvm.clusterlaunchcontrol.query.cancel"(%0) <{query_type = #nvvm<cluster_launch_control_query_type is_canceled>}> : (i128) -> i1
// -----
"nvvm.clusterlaunchcontrol.query.cancel"(%0) <{query_type = #nvvm<cluster_launch_control_query_type get_first_cta_id_y>}> : (i128) -> i32
// -----
"nvvm.elect.sync"() : () -> i1
// -----
"nvvm.elect.sync"(%0) : (i32) -> i1
// -----
"nvvm.match.sync"(%0, %1) <{kind = #nvvm<match_sync_kind any>}> : (i32, i64) -> i32
// -----
"nvvm.match.sync"(%0, %1) <{kind = #nvvm<match_sync_kind all>}> : (i32, i32) -> !llvm.struct<(i32, i1)>
// -----
"nvvm.redux.sync"(%0, %1) <{kind = #nvvm<redux_kind umax>}> : (i32, i32) -> i32
// -----
"nvvm.redux.sync"(%0, %1) <{abs = true, kind = #nvvm<redux_kind fmax>, nan = true}> : (f32, i32) -> f32
// -----
"nvvm.shfl.sync"(%0, %1, %2, %3) <{kind = #nvvm<shfl_kind bfly>}> : (i32, f32, i32, i32) -> f32
// -----
"nvvm.shfl.sync"(%0, %1, %2, %3) <{kind = #nvvm<shfl_kind idx>, return_value_and_is_valid}> : (i32, i32, i32, i32) -> !llvm.struct<(i32, i1)>
// -----
"nvvm.vote.sync"(%0, %1) <{kind = #nvvm<vote_sync_kind ballot>}> : (i32, i1) -> i32
// -----
"nvvm.vote.sync"(%0, %1) <{kind = #nvvm<vote_sync_kind uni>}> : (i32, i1) -> i1
// -----
"nvvm.mbarrier.init"(%0, %1) : (!llvm.ptr, i32) -> ()
// -----
"nvvm.mbarrier.init"(%0, %1, %2) : (!llvm.ptr, i32, i1) -> ()
// -----
"nvvm.mbarrier.inval"(%0) : (!llvm.ptr) -> ()
// -----
"nvvm.mbarrier.arrive"(%0) : (!llvm.ptr<3>) -> i64
// -----
"nvvm.mbarrier.arrive"(%0, %1) <{relaxed = true, scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr<7>, i32) -> ()
// -----
"nvvm.mbarrier.arrive.nocomplete"(%0, %1) : (!llvm.ptr, i32) -> i64
// -----
"nvvm.mbarrier.arrive.expect_tx"(%0, %1) <{scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr<3>, i32) -> i64
// -----
"nvvm.mbarrier.arrive.expect_tx"(%0, %1, %2) : (!llvm.ptr, i32, i1) -> ()
// -----
"nvvm.mbarrier.arrive_drop"(%0, %1) : (!llvm.ptr<3>, i32) -> i64
// -----
"nvvm.mbarrier.arrive_drop.nocomplete"(%0, %1) : (!llvm.ptr, i32) -> i64
// -----
"nvvm.mbarrier.arrive_drop.expect_tx"(%0, %1) <{relaxed = true}> : (!llvm.ptr<3>, i32) -> i64
// -----
"nvvm.mbarrier.expect_tx"(%0, %1) <{scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr<7>, i32) -> ()
// -----
"nvvm.mbarrier.complete_tx"(%0, %1) : (!llvm.ptr<3>, i32) -> ()
// -----
"nvvm.mbarrier.test.wait"(%0, %1) <{scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr<3>, i64) -> i1
// -----
"nvvm.mbarrier.try_wait"(%0, %1, %2) <{relaxed = true, scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr<3>, i32, i32) -> i1
// -----
"nvvm.mbarrier.try_wait.parity"(%0, %1, %2) : (!llvm.ptr, i32, i32) -> ()
// -----
"nvvm.cp.async.shared.global"(%0, %1) <{modifier = #nvvm<load_cache_modifier cg>, size = 16 : i32}> : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
// -----
"nvvm.cp.async.shared.global"(%0, %1, %2) <{modifier = #nvvm<load_cache_modifier ca>, size = 4 : i32}> : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
// -----
"nvvm.cp.async.commit.group"() : () -> ()
// -----
"nvvm.cp.async.wait.group"() <{n = 1 : i32}> : () -> ()
// -----
"nvvm.cp.async.mbarrier.arrive"(%0) : (!llvm.ptr) -> ()
// -----
"nvvm.cp.async.mbarrier.arrive"(%0) <{noinc = true}> : (!llvm.ptr) -> ()
// -----
"nvvm.cp.async.bulk.shared.cluster.global"(%0, %1, %2, %3, %4, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>}> : (!llvm.ptr<7>, !llvm.ptr<1>, !llvm.ptr<3>, i32, i16, i64) -> ()
// -----
"nvvm.cp.async.bulk.shared.cluster.global"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
// -----
"nvvm.cp.async.bulk.global.shared.cta"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
// -----
"nvvm.cp.async.bulk.global.shared.cta"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i64, i16) -> ()
// -----
"nvvm.cp.async.bulk.shared.cluster.shared.cta"(%0, %1, %2, %3) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr<3>, i32) -> ()
// -----
"nvvm.cp.async.bulk.prefetch"(%0, %1) : (!llvm.ptr<1>, i32) -> ()
// -----
"nvvm.cp.async.bulk.prefetch"(%0, %1, %2) : (!llvm.ptr<1>, i32, i64) -> ()
// -----
"nvvm.cp.async.bulk.commit.group"() : () -> ()
// -----
"nvvm.cp.async.bulk.wait_group"() <{group = 1 : i32}> : () -> ()
// -----
"nvvm.cp.async.bulk.wait_group"() <{group = 1 : i32, read}> : () -> ()
// -----
"nvvm.cp.async.bulk.tensor.shared.cluster.global"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
// -----
"nvvm.cp.async.bulk.tensor.shared.cluster.global"(%0, %1, %2, %3, %4, %5, %6, %7, %8) <{group = #nvvm.cta_group<cta_2>, mode = #nvvm.tma_load_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 3, 1, 1, 1, 1, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, i32, !llvm.ptr<3>, i16, i16, i64) -> ()
// -----
"nvvm.cp.async.bulk.tensor.shared.cluster.global"(%0, %1, %2, %3) <{isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
// -----
"nvvm.cp.async.bulk.tensor.global.shared.cta"(%0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 1>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i1) -> ()
// -----
"nvvm.cp.async.bulk.tensor.global.shared.cta"(%0, %1, %2, %3, %4, %5, %6, %7) <{mode = #nvvm.tma_store_mode<tile_scatter4>, operandSegmentSizes = array<i32: 1, 1, 5, 1, 0>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i32, i32, i32, i64) -> ()
// -----
"nvvm.cp.async.bulk.tensor.prefetch"(%0, %1, %2) <{mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (!llvm.ptr, i32, i64) -> ()
// -----
"nvvm.cp.async.bulk.tensor.prefetch"(%0, %1, %2, %3, %4, %5) <{mode = #nvvm.tma_load_mode<tile_gather4>, operandSegmentSizes = array<i32: 1, 5, 0, 0>}> : (!llvm.ptr, i32, i32, i32, i32, i32) -> ()
// -----
"nvvm.cp.async.bulk.tensor.reduce"(%0, %1, %2, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, redKind = #nvvm.tma_redux_kind<xor>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i64) -> ()
// -----
"nvvm.cp.async.bulk.tensor.reduce"(%0, %1, %2, %3, %4) <{mode = #nvvm.tma_store_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 3, 0>, redKind = #nvvm.tma_redux_kind<add>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i32) -> ()
// -----
"nvvm.st.bulk"(%0, %1) <{initVal = 0 : i64}> : (!llvm.ptr<3>, i64) -> ()
// -----
"nvvm.prefetch"(%0) <{cacheLevel = #nvvm<prefetch_cache_level L1>}> : (!llvm.ptr<5>) -> ()
// -----
"nvvm.prefetch"(%0) <{cacheLevel = #nvvm<prefetch_cache_level L2>, evictPriority = #nvvm<cache_eviction_priority evict_last>}> : (!llvm.ptr<1>) -> ()
// -----
"nvvm.prefetch"(%0, %1) <{tensormap}> : (!llvm.ptr, i1) -> ()
// -----
"nvvm.mapa"(%0, %1) : (!llvm.ptr, i32) -> !llvm.ptr
// -----
"nvvm.convert.float.to.tf32"(%0) <{relu = true, rnd = #nvvm.fp_rnd_mode<rn>}> : (f32) -> i32
// -----
"nvvm.convert.float.to.tf32"(%0) <{rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}> : (f32) -> i32
// -----
"nvvm.convert.f32x2.to.f16x2"(%0, %1) <{relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>}> : (f32, f32) -> vector<2xf16>
// -----
"nvvm.convert.f32x2.to.f16x2"(%0, %1, %2) <{rnd = #nvvm.fp_rnd_mode<rs>}> : (f32, f32, i32) -> vector<2xf16>
// -----
"nvvm.convert.f32x2.to.bf16x2"(%0, %1) <{rnd = #nvvm.fp_rnd_mode<rz>}> : (f32, f32) -> vector<2xbf16>
// -----
"nvvm.convert.f32x2.to.f8x2"(%0, %1) <{dstTy = f8E4M3FN, relu = true, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>}> : (f32, f32) -> i16
// -----
"nvvm.convert.f32x2.to.f8x2"(%0, %1) <{dstTy = f8E8M0FNU, rnd = #nvvm.fp_rnd_mode<rz>}> : (f32, f32) -> vector<2xi8>
// -----
"nvvm.convert.f16x2.to.f8x2"(%0) <{dstTy = f8E5M2, relu = true}> : (vector<2xf16>) -> i16
// -----
"nvvm.convert.bf16x2.to.f8x2"(%0) <{dstTy = f8E8M0FNU, rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>}> : (vector<2xbf16>) -> i16
// -----
"nvvm.convert.f32x2.to.f6x2"(%0, %1) <{dstTy = f6E2M3FN, relu = true}> : (f32, f32) -> i16
// -----
"nvvm.convert.f32x2.to.f4x2"(%0, %1) <{dstTy = f4E2M1FN}> : (f32, f32) -> i8
// -----
"nvvm.convert.f32x4.to.f8x4"(%0, %1) <{dstTy = f8E5M2, relu = true}> : (vector<4xf32>, i32) -> vector<4xi8>
// -----
"nvvm.convert.f32x4.to.f6x4"(%0, %1) <{dstTy = f6E3M2FN}> : (vector<4xf32>, i32) -> vector<4xi8>
// -----
"nvvm.convert.f32x4.to.f4x4"(%0, %1) <{dstTy = f4E2M1FN}> : (vector<4xf32>, i32) -> i16
// -----
"nvvm.convert.f8x2.to.f16x2"(%0) <{relu = true, srcType = f8E4M3FN}> : (vector<2xi8>) -> vector<2xf16>
// -----
"nvvm.convert.f8x2.to.bf16x2"(%0) <{srcType = f8E8M0FNU}> : (vector<2xi8>) -> vector<2xbf16>
// -----
"nvvm.convert.f6x2.to.f16x2"(%0) <{srcType = f6E2M3FN}> : (vector<2xi8>) -> vector<2xf16>
// -----
"nvvm.convert.f4x2.to.f16x2"(%0) <{relu = true, srcType = f4E2M1FN}> : (i8) -> vector<2xf16>
// -----
"nvvm.rcp.approx.ftz.f"(%0) : (f32) -> f32
// -----
"nvvm.prmt"(%0, %1, %2) <{mode = #nvvm.permute_mode<default>}> : (i32, i32, i32) -> i32
// -----
"nvvm.prmt"(%0, %1) <{mode = #nvvm.permute_mode<rc16>}> : (i32, i32) -> i32
// -----
"nvvm.dot.accumulate.2way"(%0, %1, %2) <{a_type = #nvvm.dot_accumulate_type<unsigned>, b_hi = true, b_type = #nvvm.dot_accumulate_type<unsigned>}> : (vector<2xi16>, vector<4xi8>, i32) -> i32
// -----
"nvvm.dot.accumulate.4way"(%0, %1, %2) <{a_type = #nvvm.dot_accumulate_type<unsigned>, b_type = #nvvm.dot_accumulate_type<unsigned>}> : (vector<4xi8>, vector<4xi8>, i32) -> i32
// -----
"nvvm.ldmatrix"(%0) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> i32
// -----
"nvvm.ldmatrix"(%0) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
// -----
"nvvm.ldmatrix"(%0) <{eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>}> : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
// -----
"nvvm.stmatrix"(%0, %1) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>, i32) -> ()
// -----
"nvvm.stmatrix"(%0, %1, %2) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>}> : (!llvm.ptr<3>, i32, i32) -> ()
// -----
"nvvm.wmma.load"(%0, %1) <{eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32}> : (!llvm.ptr, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
// -----
"nvvm.wmma.store"(%0, %1, %2, %3, %4, %5) <{eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32}> : (!llvm.ptr, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
// -----
"nvvm.wmma.mma"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19) <{eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32}> : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
// -----
"nvvm.mma.sync"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, operandSegmentSizes = array<i32: 4, 2, 4>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}> : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// -----
"nvvm.mma.sync"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) <{intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, operandSegmentSizes = array<i32: 4, 2, 4>, shape = #nvvm.shape<m = 16, n = 8, k = 32>}> : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
// -----
"nvvm.mma.sp.sync"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) <{multiplicandAPtxType = #nvvm.mma_type<f16>, multiplicandBPtxType = #nvvm.mma_type<f16>, operandSegmentSizes = array<i32: 2, 2, 4, 1, 1>, orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>}> : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>
// -----
"nvvm.mma.block_scale"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15) <{blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, operandSegmentSizes = array<i32: 4, 2, 4, 1, 1, 1, 1, 1, 1>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>}> : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i32, i16, i16, i32, i16, i16) -> !llvm.struct<(f32, f32, f32, f32)>
// -----
"nvvm.mma.sp.block_scale"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19) <{blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, operandSegmentSizes = array<i32: 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1>, orderedMetadata, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 64>}> : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i32, i32, i32, i16, i16, i32, i16, i16) -> !llvm.struct<(f32, f32, f32, f32)>
// -----
"nvvm.wgmma.fence.aligned"() : () -> ()
// -----
"nvvm.wgmma.commit.group.sync.aligned"() : () -> ()
// -----
"nvvm.wgmma.wait.group.sync.aligned"() <{group = 1 : i64}> : () -> ()
// -----
"nvvm.wgmma.mma_async"(%0, %1, %2) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 8, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
// -----
"nvvm.tcgen05.alloc"(%0, %1) : (!llvm.ptr, i32) -> ()
// -----
"nvvm.tcgen05.alloc"(%0, %1) <{group = #nvvm.cta_group<cta_2>}> : (!llvm.ptr, i32) -> ()
// -----
"nvvm.tcgen05.dealloc"(%0, %1) : (!llvm.ptr<6>, i32) -> ()
// -----
"nvvm.tcgen05.dealloc"(%0, %1) <{group = #nvvm.cta_group<cta_2>}> : (!llvm.ptr<6>, i32) -> ()
// -----
"nvvm.tcgen05.relinquish_alloc_permit"() : () -> ()
// -----
"nvvm.tcgen05.relinquish_alloc_permit"() <{group = #nvvm.cta_group<cta_2>}> : () -> ()
// -----
"nvvm.tcgen05.fence"() <{kind = #nvvm.tcgen05_fence<after>}> : () -> ()
// -----
"nvvm.tcgen05.wait"() <{kind = #nvvm.tcgen05_wait<store>}> : () -> ()
// -----
"nvvm.tcgen05.commit"(%0) : (!llvm.ptr) -> ()
// -----
"nvvm.tcgen05.commit"(%0, %1) <{group = #nvvm.cta_group<cta_2>}> : (!llvm.ptr, i16) -> ()
// -----
"nvvm.tcgen05.shift"(%0) : (!llvm.ptr<6>) -> ()
// -----
"nvvm.tcgen05.shift"(%0) <{group = #nvvm.cta_group<cta_2>}> : (!llvm.ptr<6>) -> ()
// -----
"nvvm.tcgen05.cp"(%0, %1) <{shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
// -----
"nvvm.tcgen05.cp"(%0, %1) <{group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}> : (!llvm.ptr<6>, i64) -> ()
// -----
"nvvm.tcgen05.ld"(%0) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>}> : (!llvm.ptr<6>) -> i32
// -----
"nvvm.tcgen05.ld"(%0, %1) <{pack, shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>}> : (!llvm.ptr<6>, i64) -> vector<2xi32>
// -----
"nvvm.tcgen05.st"(%0, %1) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>, unpack}> : (!llvm.ptr<6>, vector<4xi32>) -> ()
// -----
"nvvm.tcgen05.st"(%0, %1, %2) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>}> : (!llvm.ptr<6>, vector<2xi32>, i64) -> ()
// -----
"nvvm.tcgen05.mma_smem_desc"(%0, %1, %2, %3, %4, %5) : (i32, i32, i32, i8, i1, i8) -> i64
// -----
"nvvm.tcgen05.mma"(%0, %1, %2, %3, %4) <{ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
// -----
"nvvm.tcgen05.mma"(%0, %1, %2, %3, %4, %5, %6) <{aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64, vector<8xi32>) -> ()
// -----
"nvvm.tcgen05.mma.sp"(%0, %1, %2, %3, %4, %5, %6) <{ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1>}> : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>) -> ()
// -----
"nvvm.tcgen05.mma.block_scale"(%0, %1, %2, %3, %4, %5, %6) <{blockScale = #nvvm.tcgen05_mma_block_scale<block32>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf8f6f4>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
// -----
"nvvm.tcgen05.mma.sp.block_scale"(%0, %1, %2, %3, %4, %5, %6, %7) <{blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf4nvf4>}> : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
// -----
"nvvm.tcgen05.mma.ws"(%0, %1, %2, %3, %4) <{kind = #nvvm.tcgen05_mma_kind<tf32>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1) -> ()
// -----
"nvvm.tcgen05.mma.ws"(%0, %1, %2, %3, %4, %5) <{collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<tf32>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, i64) -> ()
// -----
"nvvm.tcgen05.mma.ws.sp"(%0, %1, %2, %3, %4, %5) <{kind = #nvvm.tcgen05_mma_kind<tf32>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>) -> ()
// -----
"nvvm.tcgen05.mma.ws.sp"(%0, %1, %2, %3, %4, %5, %6) <{collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b3>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, kind = #nvvm.tcgen05_mma_kind<tf32>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, i64) -> ()
// -----
"nvvm.breakpoint"() : () -> ()
// -----
"nvvm.exit"() : () -> ()
// -----
"nvvm.nanosleep"(%0) : (i32) -> ()
// -----
"nvvm.pmevent"() <{eventId = 1 : i32}> : () -> ()
// -----
"nvvm.pmevent"() <{maskedEventId = 5 : i16}> : () -> ()
// -----
"nvvm.setmaxregister"() <{action = #nvvm<action decrease>, regCount = 40 : i32}> : () -> ()
// -----
"nvvm.inline_ptx"() <{operandSegmentSizes = array<i32: 0, 0, 0>, ptxCode = "text"}> : () -> ()
// -----
"nvvm.inline_ptx"(%0, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1>, ptxCode = "text"}> : (i32, i32, i1) -> i32
// -----
"nvvm.multimem.ld_reduce"(%0) <{bin_op = 1 : i64, ordering = 0 : i64}> : (!llvm.ptr<1>) -> i32
// -----
"nvvm.multimem.ld_reduce"(%0) <{bin_op = 14 : i64, ordering = 4 : i64, syncscope = "device"}> : (!llvm.ptr) -> vector<2xf16>
// -----
"nvvm.multimem.st"(%0, %1) <{ordering = 5 : i64}> : (vector<4xf32>, !llvm.ptr<1>) -> ()
// -----
"nvvm.multimem.red"(%0, %1) <{bin_op = 11 : i64, ordering = 2 : i64}> : (!llvm.ptr<1>, f64) -> ()
// -----
"nvvm.predicated.load"(%0, %1, %2, %3) <{alignment = 16 : i64}> : (!llvm.ptr<1>, i1, vector<4xf32>, vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
// -----
"nvvm.predicated.load"(%0, %1, %2) <{alignment = 1 : i64}> : (!llvm.ptr, i1, i8) -> i8
// -----
"nvvm.predicated.store"(%0, %1, %2, %3) <{alignment = 8 : i64}> : (f64, f64, !llvm.ptr<3>, i1) -> ()
