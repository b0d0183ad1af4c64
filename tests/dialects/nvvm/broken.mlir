// error: 'nvvm.barrier' op reduction are only available when id is 0
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.barrier"(%arg0, %arg0, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 1>, reductionOp = #nvvm.reduction<or>}> : (i32, i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.barrier' op barrier id is missing, it should be set between 0 to 15
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.barrier"(%arg0) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.barrier' op reduction predicate and reduction operation must be specified together
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.barrier"(%arg0) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy' op generic proxy not a supported proxy kind
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<generic>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy' op tensormap proxy is not a supported proxy kind
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<tensormap>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy' op async_shared fence requires space attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<async.shared>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy' op only async_shared fence can have space attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy"() <{kind = #nvvm.proxy_kind<alias>, space = #nvvm.shared_space<cta>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.acquire' op uni-directional proxies only support tensormap for to_proxy attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.acquire"(%arg2, %arg0) <{fromProxy = #nvvm.proxy_kind<generic>, scope = #nvvm.mem_scope<gpu>, toProxy = #nvvm.proxy_kind<generic>}> : (!llvm.ptr, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.acquire' op uni-directional proxies only support generic for from_proxy attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.acquire"(%arg2, %arg0) <{fromProxy = #nvvm.proxy_kind<async>, scope = #nvvm.mem_scope<gpu>, toProxy = #nvvm.proxy_kind<tensormap>}> : (!llvm.ptr, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.release' op uni-directional proxies only support tensormap for to_proxy attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.release"() <{fromProxy = #nvvm.proxy_kind<generic>, scope = #nvvm.mem_scope<gpu>, toProxy = #nvvm.proxy_kind<generic>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.sync_restrict' op only acquire and release semantics are supported
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.sync_restrict"() <{fromProxy = #nvvm.proxy_kind<generic>, order = #nvvm.mem_order<relaxed>, toProxy = #nvvm.proxy_kind<async>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.sync_restrict' op only generic is support for from_proxy attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.sync_restrict"() <{fromProxy = #nvvm.proxy_kind<async>, order = #nvvm.mem_order<acquire>, toProxy = #nvvm.proxy_kind<async>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.proxy.sync_restrict' op only async is supported for to_proxy attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.proxy.sync_restrict"() <{fromProxy = #nvvm.proxy_kind<generic>, order = #nvvm.mem_order<acquire>, toProxy = #nvvm.proxy_kind<generic>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.fence.sync_restrict' op only acquire and release semantics are supported
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.fence.sync_restrict"() <{order = #nvvm.mem_order<relaxed>}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.clusterlaunchcontrol.query.cancel' op is_canceled query type returns an i1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.clusterlaunchcontrol.query.cancel"(%arg11) <{query_type = #nvvm<cluster_launch_control_query_type is_canceled>}> : (i128) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.clusterlaunchcontrol.query.cancel' op get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.clusterlaunchcontrol.query.cancel"(%arg11) <{query_type = #nvvm<cluster_launch_control_query_type get_first_cta_id_y>}> : (i128) -> i1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.match.sync' op match.sync 'all' returns a two element struct with first element as i32 and second element as i1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.match.sync"(%arg0, %arg0) <{kind = #nvvm<match_sync_kind all>}> : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.match.sync' op match.sync 'any' returns an i32
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.match.sync"(%arg0, %arg0) <{kind = #nvvm<match_sync_kind any>}> : (i32, i32) -> !llvm.struct<(i32, i1)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.redux.sync' op 'fmax' redux kind unsupported with 'i32' type. Only supported type is 'f32'.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.redux.sync"(%arg0, %arg0) <{abs = false, kind = #nvvm<redux_kind fmax>, nan = false}> : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.redux.sync' op 'add' redux kind unsupported with 'f32' type. Only supported type is 'i32'.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.redux.sync"(%arg7, %arg0) <{abs = false, kind = #nvvm<redux_kind add>, nan = false}> : (f32, i32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.redux.sync' op abs attribute is supported only for f32 type
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.redux.sync"(%arg0, %arg0) <{abs = true, kind = #nvvm<redux_kind add>, nan = false}> : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.redux.sync' op nan attribute is supported only for f32 type
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.redux.sync"(%arg0, %arg0) <{abs = false, kind = #nvvm<redux_kind add>, nan = true}> : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.shfl.sync' op expected return type to be a two-element struct
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.shfl.sync"(%arg0, %arg0, %arg0, %arg0) <{kind = #nvvm<shfl_kind idx>, return_value_and_is_valid}> : (i32, i32, i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.shfl.sync' op expected second element in the returned struct to be of type 'i1' but got 'i32' instead
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.shfl.sync"(%arg0, %arg0, %arg0, %arg0) <{kind = #nvvm<shfl_kind idx>, return_value_and_is_valid}> : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.shfl.sync' op expected return type to be of type 'f32' but got 'i32' instead
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.shfl.sync"(%arg0, %arg7, %arg0, %arg0) <{kind = #nvvm<shfl_kind idx>}> : (i32, f32, i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.vote.sync' op vote.sync 'any', 'all' and 'uni' returns an i1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.vote.sync"(%arg0, %arg8) <{kind = #nvvm<vote_sync_kind uni>}> : (i32, i1) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.vote.sync' op vote.sync 'ballot' returns an i32
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.vote.sync"(%arg0, %arg8) <{kind = #nvvm<vote_sync_kind ballot>}> : (i32, i1) -> i1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier scope must be either CTA or Cluster
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive"(%arg2, %arg0) <{relaxed = true, scope = #nvvm.mem_scope<sys>}> : (!llvm.ptr, i32) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier in shared_cluster space cannot return any value
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive"(%arg5, %arg0) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<7>, i32) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier scope must be CTA when using predicate
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.mbarrier.arrive.expect_tx"(%arg2, %arg0, %arg8) <{relaxed = false, scope = #nvvm.mem_scope<cluster>}> : (!llvm.ptr, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: return-value is not supported when using predicate
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive.expect_tx"(%arg2, %arg0, %arg8) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr, i32, i1) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier with relaxed semantics is not supported when using predicate
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.mbarrier.arrive.expect_tx"(%arg2, %arg0, %arg8) <{relaxed = true, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier in shared_cluster space is not supported when using predicate
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.mbarrier.arrive.expect_tx"(%arg5, %arg0, %arg8) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<7>, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier in shared_cluster space cannot return any value
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive.expect_tx"(%arg5, %arg0) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<7>, i32) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier in shared_cluster space cannot return any value
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive_drop"(%arg5, %arg0) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<7>, i32) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier in shared_cluster space cannot return any value
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.arrive_drop.expect_tx"(%arg5, %arg0) <{relaxed = false, scope = #nvvm.mem_scope<cta>}> : (!llvm.ptr<7>, i32) -> i64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier scope must be either CTA or Cluster
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.mbarrier.expect_tx"(%arg3, %arg0) <{scope = #nvvm.mem_scope<sys>}> : (!llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier scope must be either CTA or Cluster
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.test.wait"(%arg2, %arg1) <{relaxed = false, scope = #nvvm.mem_scope<sys>}> : (!llvm.ptr, i64) -> i1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mbarrier scope must be either CTA or Cluster
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mbarrier.try_wait"(%arg2, %arg1) <{relaxed = false, scope = #nvvm.mem_scope<gpu>}> : (!llvm.ptr, i64) -> i1
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Only CG and CA cache modifiers are supported.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.shared.global"(%arg3, %arg4) <{modifier = #nvvm<load_cache_modifier cv>, size = 4 : i32}> : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expected byte size to be either 4, 8 or 16.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.shared.global"(%arg3, %arg4) <{modifier = #nvvm<load_cache_modifier ca>, size = 5 : i32}> : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: CG cache modifier is only support for 16 bytes copy.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.shared.global"(%arg3, %arg4) <{modifier = #nvvm<load_cache_modifier cg>, size = 8 : i32}> : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Multicast is not supported with shared::cta mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.shared.cluster.global"(%arg3, %arg4, %arg3, %arg0, %arg9) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}> : (!llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<3>, i32, i16) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Shared::cluster destination requires address-space 7.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg3, %arg2, %arg3) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expects coordinates between 1 to 5 dimension
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg3) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Shared::cta destination requires address-space 3.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg3) <{isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Multicast is not supported with shared::cta mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg3, %arg2, %arg0, %arg3, %arg9) <{isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>, i16) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: CTAGroup is not supported with shared::cta mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg3, %arg2, %arg0, %arg3) <{group = #nvvm.cta_group<cta_2>, isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Predicate is supported only for shared::cluster mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg3, %arg2, %arg0, %arg3, %arg8) <{isCTAOnly = true, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>}> : (!llvm.ptr<3>, !llvm.ptr, i32, !llvm.ptr<3>, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: to use im2col mode, the tensor has to be at least 3-dimensional
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg3, %arg8) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>}> : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: to use im2col mode, the tensor has to be at least 3-dimensional
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg3) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error:  im2col offsets expected 1 (provided 0)
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg0, %arg0, %arg3) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 3, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, i32, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Gather4 mode expects 5 coordinates
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg3) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<tile_gather4>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error:  im2col offsets expected 2 (provided 1)
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg0, %arg0, %arg3, %arg9) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<im2col_w>, operandSegmentSizes = array<i32: 1, 1, 3, 1, 1, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, i32, i32, !llvm.ptr<3>, i16) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error:  im2col offsets expected 0 (provided 1)
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.shared.cluster.global"(%arg5, %arg2, %arg0, %arg3, %arg9) <{isCTAOnly = false, mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0>}> : (!llvm.ptr<7>, !llvm.ptr, i32, !llvm.ptr<3>, i16) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expects coordinates between 1 to 5 dimension
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.global.shared.cta"(%arg2, %arg3) <{mode = #nvvm.tma_store_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (!llvm.ptr, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Inline-ptx lowering supported only for Tile mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.global.shared.cta"(%arg2, %arg3, %arg0, %arg8) <{mode = #nvvm.tma_store_mode<tile_scatter4>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Inline-ptx lowering unsupported with L2 cache-hint.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.global.shared.cta"(%arg2, %arg3, %arg0, %arg1, %arg8) <{mode = #nvvm.tma_store_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i64, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Scatter4 mode expects 5 coordinates
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.global.shared.cta"(%arg2, %arg3, %arg0) <{mode = #nvvm.tma_store_mode<tile_scatter4>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: to use im2col mode, the tensor has to be at least 3-dimensional
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.global.shared.cta"(%arg2, %arg3, %arg0) <{mode = #nvvm.tma_store_mode<im2col>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expects coordinates between 1 to 5 dimension
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.prefetch"(%arg2) <{mode = #nvvm.tma_load_mode<tile>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: expects coordinates between 1 to 5 dimension
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.reduce"(%arg2, %arg3) <{mode = #nvvm.tma_store_mode<tile>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, redKind = #nvvm.tma_redux_kind<xor>}> : (!llvm.ptr, !llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Scatter mode unsupported for CpAsyncBulkTensorReduceOp
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.cp.async.bulk.tensor.reduce"(%arg2, %arg3, %arg0) <{mode = #nvvm.tma_store_mode<tile_scatter4>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, redKind = #nvvm.tma_redux_kind<xor>}> : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.st.bulk' op only 0 is supported for initVal, got 1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.st.bulk"(%arg3, %arg1) <{initVal = 1 : i64}> : (!llvm.ptr<3>, i64) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op requires specification of either cache level or tensormap
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4) : (!llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op cannot specify both tensormap and cache level
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg2) <{cacheLevel = #nvvm<prefetch_cache_level L1>, tensormap}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op prefetch tensormap requires a generic or constant pointer
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4) <{tensormap}> : (!llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op unsupported cache level, the only supported uniform cache level is L1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg2) <{cacheLevel = #nvvm<prefetch_cache_level L2>, uniform}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op prefetch to uniform cache requires a generic pointer
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4) <{cacheLevel = #nvvm<prefetch_cache_level L1>, uniform}> : (!llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op cache eviction priority requires a global pointer
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg2) <{cacheLevel = #nvvm<prefetch_cache_level L2>, evictPriority = #nvvm<cache_eviction_priority evict_last>}> : (!llvm.ptr) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op cache eviction priority supported only for cache level L2
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4) <{cacheLevel = #nvvm<prefetch_cache_level L1>, evictPriority = #nvvm<cache_eviction_priority evict_last>}> : (!llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op unsupported cache eviction priority, only evict_last and evict_normal are supported
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4) <{cacheLevel = #nvvm<prefetch_cache_level L2>, evictPriority = #nvvm<cache_eviction_priority no_allocate>}> : (!llvm.ptr<1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op predicate supported only on prefetch tensormap
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.prefetch"(%arg4, %arg8) <{cacheLevel = #nvvm<prefetch_cache_level L1>}> : (!llvm.ptr<1>, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.float.to.tf32"(%arg7) <{relu = false, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (f32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Relu not supported with rna rounding mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.float.to.tf32"(%arg7) <{relu = true, rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<none>}> : (f32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f16x2' op Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to f16x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f16x2"(%arg7, %arg7) <{relu = false, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> vector<2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f16x2' op random_bits is required for RS rounding mode.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f16x2"(%arg7, %arg7) <{relu = false, rnd = #nvvm.fp_rnd_mode<rs>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> vector<2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f16x2' op random_bits not supported for RN and RZ rounding modes.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f16x2"(%arg7, %arg7, %arg0) <{relu = false, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<none>}> : (f32, f32, i32) -> vector<2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.bf16x2' op Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to bf16x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.bf16x2"(%arg7, %arg7) <{relu = false, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> vector<2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f8x2' op Only 'f8E4M3FN', 'f8E5M2', and 'f8E8M0FNU' types are supported for conversions from f32x2 to f8x2
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f8x2"(%arg7, %arg7) <{dstTy = i32, relu = false, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f8x2' op Only RN rounding mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f8x2"(%arg7, %arg7) <{dstTy = f8E4M3FN, relu = false, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f8x2' op Only SATFINITE saturation mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f8x2"(%arg7, %arg7) <{dstTy = f8E4M3FN, relu = false, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from f32x2 to 'f8E8M0FNU' type
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f8x2"(%arg7, %arg7) <{dstTy = f8E8M0FNU, relu = false, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f8x2' op relu not supported for conversions to 'f8E8M0FNU' type
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f8x2"(%arg7, %arg7) <{dstTy = f8E8M0FNU, relu = true, rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<none>}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f16x2.to.f8x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f16x2 to f8x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f16x2.to.f8x2"(%arg10) <{dstTy = f8E8M0FNU, relu = false}> : (vector<2xf16>) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.bf16x2.to.f8x2' op Only 'f8E8M0FNU' type is supported for conversions from bf16x2 to f8x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.bf16x2.to.f8x2"(%arg12) <{dstTy = f8E5M2, rnd = #nvvm.fp_rnd_mode<none>, sat = #nvvm.sat_mode<none>}> : (vector<2xbf16>) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.bf16x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.bf16x2.to.f8x2"(%arg12) <{dstTy = f8E8M0FNU, rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<none>}> : (vector<2xbf16>) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f6x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x2 to f6x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f6x2"(%arg7, %arg7) <{dstTy = f8E5M2, relu = false}> : (f32, f32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x2.to.f4x2' op Only 'f4E2M1FN' type is supported for conversions from f32x2 to f4x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x2.to.f4x2"(%arg7, %arg7) <{dstTy = f8E5M2, relu = false}> : (f32, f32) -> i8
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x4.to.f8x4' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f32x4 to f8x4.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x4.to.f8x4"(%arg13, %arg0) <{dstTy = f4E2M1FN, relu = false}> : (vector<4xf32>, i32) -> vector<4xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x4.to.f6x4' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x4 to f6x4.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x4.to.f6x4"(%arg13, %arg0) <{dstTy = f4E2M1FN, relu = false}> : (vector<4xf32>, i32) -> vector<4xi8>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f32x4.to.f4x4' op Only 'f4E2M1FN' type is supported for conversions from f32x4 to f4x4.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f32x4.to.f4x4"(%arg13, %arg0) <{dstTy = f8E5M2, relu = false}> : (vector<4xf32>, i32) -> i16
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f8x2.to.f16x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f8x2 to f16x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f8x2.to.f16x2"(%arg14) <{relu = false, srcType = f4E2M1FN}> : (vector<2xi8>) -> vector<2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f8x2.to.bf16x2' op Only 'f8E8M0FNU' type is supported for conversions from f8x2 to bf16x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f8x2.to.bf16x2"(%arg14) <{srcType = f8E5M2}> : (vector<2xi8>) -> vector<2xbf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.convert.f6x2.to.f16x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f6x2 to f16x2.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.convert.f6x2.to.f16x2"(%arg14) <{relu = false, srcType = f8E5M2}> : (vector<2xi8>) -> vector<2xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mode 'rc16' does not accept 'hi' operand.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.prmt"(%arg0, %arg0, %arg0) <{mode = #nvvm.permute_mode<rc16>}> : (i32, i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mode 'default' requires 'hi' operand.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.prmt"(%arg0, %arg0) <{mode = #nvvm.permute_mode<default>}> : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected num attribute to be 1, 2 or 4 for 8x8 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 3 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected element type to be b16 for 8x8 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected shape to be 8x8, 8x16 or 16x16
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 9>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected element type to be b8x16.b4x16_p64 or b8x16.b6x16_p32 for 8x16 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected layout to be row for 8x16 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b4x16_p64>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected layout to be col for 16x16 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected element type to be b8, b8x16.b4x16_p64 or b8x16.b6x16_p32 for 16x16 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected num attribute to be 1 or 2 for 16x16 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected destination type is a structure of 2 elements of type i32
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.ldmatrix' op expected destination type is i32
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.ldmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.stmatrix' op expected num attribute to be 1, 2 or 4
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.stmatrix"(%arg3) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.stmatrix' op expected element type to be B16 for 8x8 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.stmatrix"(%arg3, %arg0) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}> : (!llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.stmatrix' op expected layout to be col for 16x8 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.stmatrix"(%arg3, %arg0) <{eltType = #nvvm.ld_st_matrix_elt_type<b8>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>}> : (!llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.stmatrix' op expected element type to be B8 for 16x8 matrix
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.stmatrix"(%arg3, %arg0) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>}> : (!llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.stmatrix' op expected shape to be 8x8 or 16x8
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.stmatrix"(%arg3, %arg0) <{eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 9, n = 8>}> : (!llvm.ptr<3>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Shape 32x128b requires multicast warpx4 for tcgen05.cp Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.cp"(%arg6, %arg1) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}> : (!llvm.ptr<6>, i64) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.cp"(%arg6, %arg1) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}> : (!llvm.ptr<6>, i64) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Invalid multicast type for tcgen05.cp Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.cp"(%arg6, %arg1) <{group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}> : (!llvm.ptr<6>, i64) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: shape 16x32bx2 requires offset argument
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.tcgen05.ld"(%arg6) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>}> : (!llvm.ptr<6>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: offset argument is only supported for shape 16x32bx2
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.tcgen05.ld"(%arg6, %arg1) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>}> : (!llvm.ptr<6>, i64) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: invalid result type length 1 for shape shape_16x128b in tcgen05.ld Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.tcgen05.ld"(%arg6) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>}> : (!llvm.ptr<6>) -> i32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: invalid result type length 2 for shape shape_16x256b in tcgen05.ld Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.tcgen05.ld"(%arg6) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>}> : (!llvm.ptr<6>) -> vector<2xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: shape 16x32bx2 requires offset argument
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.st"(%arg6, %arg0) <{shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>}> : (!llvm.ptr<6>, i32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Disable Output Lane of length 4 is incompatible with CtaGroupAttr
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma"(%arg6, %arg6, %arg1, %arg0, %arg8, %arg16) <{collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, vector<4xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: A-shift can be applied only when matrix A is in tensor memory
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma"(%arg6, %arg1, %arg1, %arg0, %arg8) <{aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, i64, i64, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: Cannot use collector buffer operation fill or use with ashift
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma"(%arg6, %arg6, %arg1, %arg0, %arg8) <{aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<use>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.tcgen05_mma_kind<tf32>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mxf4nvf4 requires block scale attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma.block_scale"(%arg6, %arg6, %arg1, %arg0, %arg8, %arg6, %arg6) <{blockScale = #nvvm.tcgen05_mma_block_scale<default>, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4nvf4>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mxf4 kind does not support block16 attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma.block_scale"(%arg6, %arg6, %arg1, %arg0, %arg8, %arg6, %arg6) <{blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf4>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: mxf8f6f4 kind does not support block16 attribute
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.tcgen05.mma.block_scale"(%arg6, %arg6, %arg1, %arg0, %arg8, %arg6, %arg6) <{blockScale = #nvvm.tcgen05_mma_block_scale<block16>, collectorOp = #nvvm.tcgen05_mma_collectorop<discard>, ctaGroup = #nvvm.cta_group<cta_2>, kind = #nvvm.block_scale_kind<mxf8f6f4>}> : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.pmevent' op either `id` or `mask` must be set
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.pmevent"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.pmevent' op `id` and `mask` cannot be set at the same time
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.pmevent"() <{eventId = 1 : i32, maskedEventId = 1 : i16}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.pmevent' op `id` must be between 0 and 15
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.pmevent"() <{eventId = 16 : i32}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.setmaxregister' op new register size must be multiple of 8
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.setmaxregister"() <{action = #nvvm<action increase>, regCount = 20 : i32}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.setmaxregister' op new register size must be in between 24 to 256
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.setmaxregister"() <{action = #nvvm<action increase>, regCount = 16 : i32}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.setmaxregister' op new register size must be in between 24 to 256
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    "nvvm.setmaxregister"() <{action = #nvvm<action increase>, regCount = 264 : i32}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.mapa' op failed to verify that Valid address-space check(or mapping) for mapa Op
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.mapa"(%arg3, %arg0) : (!llvm.ptr<3>, i32) -> !llvm.ptr
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op shape 'm' must be 64
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 65, n = 8, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op f32 += f16 * bf16, it is not supported.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 8, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<bf16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op has input type f16 n is set to 9, it is not supported.
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 9, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op shape 'k' must be 16 for input type f16
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 8, k = 8>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op results 8, however output struct has 4 elements
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<neg>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 16, k = 16>, typeA = #nvvm.wgmma_type<f16>, typeB = #nvvm.wgmma_type<f16>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.wgmma.mma_async' op given layouts layout_a = row and layout_b = row for input types e4m3 and e4m3 requires transpose. However, this is only supported for: f16 and bf16
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i64, !llvm.ptr, !llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<7>, !llvm.ptr<6>, f32, i1, i16, vector<2xf16>, i128, vector<2xbf16>, vector<4xf32>, vector<2xi8>, !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr<3>, %arg4: !llvm.ptr<1>, %arg5: !llvm.ptr<7>, %arg6: !llvm.ptr<6>, %arg7: f32, %arg8: i1, %arg9: i16, %arg10: vector<2xf16>, %arg11: i128, %arg12: vector<2xbf16>, %arg13: vector<4xf32>, %arg14: vector<2xi8>, %arg15: !llvm.struct<(f32, f32, f32, f32)>, %arg16: vector<4xi32>):
    %0 = "nvvm.wgmma.mma_async"(%arg15, %arg1, %arg1) <{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, scaleA = #nvvm.wgmma_scale_in<one>, scaleB = #nvvm.wgmma_scale_in<one>, scaleD = #nvvm.wgmma_scale_out<one>, shape = #nvvm.shape<m = 64, n = 8, k = 32>, typeA = #nvvm.wgmma_type<e4m3>, typeB = #nvvm.wgmma_type<e4m3>, typeD = #nvvm.wgmma_type<f32>}> : (!llvm.struct<(f32, f32, f32, f32)>, i64, i64) -> !llvm.struct<(f32, f32, f32, f32)>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'nvvm.prefetch' op prefetch tensormap does not support eviction priority
llvm.func @f(%p: !llvm.ptr) { "nvvm.prefetch"(%p) <{evictPriority = #nvvm<cache_eviction_priority evict_normal>, tensormap}> : (!llvm.ptr) -> () llvm.return }
// -----
// error: 'nvvm.prefetch' op in_param_space can only be specified for a generic pointer
llvm.func @f(%p: !llvm.ptr<4>) { "nvvm.prefetch"(%p) <{in_param_space, tensormap}> : (!llvm.ptr<4>) -> () llvm.return }
// -----
// error: 'nvvm.wmma.load' op expected source pointer in memory space 0, 1, 3
llvm.func @f(%p: !llvm.ptr<7>, %s: i32) { %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<7>) -> !llvm.struct<(i32)> llvm.return }
// -----
// error: 'nvvm.wmma.load' op invalid attribute combination
llvm.func @f(%p: !llvm.ptr, %s: i32) { %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(i32)> llvm.return }
// -----
// error: 'nvvm.wmma.load' op expected destination type is a structure of 1 elements of type 'i32'
llvm.func @f(%p: !llvm.ptr, %s: i32) { %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<b>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 32 : i32, n = 8 : i32} : (!llvm.ptr) -> !llvm.struct<(f32)> llvm.return }
// -----
// error: 'nvvm.wmma.load' op expected destination type to be f64
llvm.func @f(%p: !llvm.ptr, %s: i32) { %0 = nvvm.wmma.load %p, %s {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<b>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (!llvm.ptr) -> !llvm.struct<(f64)> llvm.return }
// -----
// error: 'nvvm.wmma.store' op expected operands to be a source pointer in memory space 0, 1, 3
llvm.func @f(%p: !llvm.ptr<7>, %s: i32, %x: f32) { nvvm.wmma.store %p, %s, %x {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<7>, f32 llvm.return }
// -----
// error: 'nvvm.wmma.store' op expected 8 data operands
llvm.func @f(%p: !llvm.ptr, %s: i32, %x: f32) { nvvm.wmma.store %p, %s, %x {eltype = #nvvm.mma_type<f32>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, f32 llvm.return }
// -----
// error: 'nvvm.wmma.store' op expected data operands of type 'f64'
llvm.func @f(%p: !llvm.ptr, %s: i32, %x: f32) { nvvm.wmma.store %p, %s, %x, %x {eltype = #nvvm.mma_type<f64>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : !llvm.ptr, f32, f32 llvm.return }
// -----
// error: 'nvvm.wmma.mma' op expected 4 arguments
llvm.func @f() { %0 = nvvm.wmma.mma  {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : () -> !llvm.struct<(f64)> llvm.return }
// -----
// error: 'nvvm.wmma.mma' op expected argument 2 to be of type 'f64'
llvm.func @f(%d: f64, %x: f32) { %0 = nvvm.wmma.mma %d, %d, %x, %d {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (f64, f64, f32, f64) -> !llvm.struct<(f64)> llvm.return }
// -----
// error: 'nvvm.wmma.mma' op expected destination type is a structure of 2 elements of type 'f64'
llvm.func @f(%d: f64) { %0 = nvvm.wmma.mma %d, %d, %d, %d {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (f64, f64, f64, f64) -> !llvm.struct<(f64)> llvm.return }
// -----
// error: 'nvvm.prefetch' op prefetch to cache level requires a generic, global, or local pointer
llvm.func @f(%p: !llvm.ptr<4>) { "nvvm.prefetch"(%p) <{cacheLevel = #nvvm<prefetch_cache_level L1>}> : (!llvm.ptr<4>) -> () llvm.return }
// -----
// error: invalid input length 1 for shape shape_16x128b in tcgen05.st Op
llvm.func @f(%p: !llvm.ptr<6>, %x: i32) { nvvm.tcgen05.st %p, %x {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : i32 llvm.return }
