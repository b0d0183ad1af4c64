cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f16, <none>>>) {
    %true = constant <i1: true> : tile<i1>
    %true_0 = constant <i1: true> : tile<i1>
    %true_1 = constant <i1: true> : tile<i1>
    %true_2 = constant <i1: true> : tile<i1>
    %true_3 = constant <i1: true> : tile<i1>
    %tview = make_tensor_view %arg0, shape = [%true, %true_0, %true_1], strides = [%true_2, %true_3, 22] : tile<ptr<f16, <none>>>, tile<i1> -> tensor_view<?x?x?xf16, strides=[?,?,22], #cuda_tile.ptr_attr<none>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f16, 1>):
    %true = arith.constant true
    %true_0 = arith.constant true
    %true_1 = arith.constant true
    %true_2 = arith.constant true
    %true_3 = arith.constant true
    %0 = arith.extui %true : i1 to i32
    %1 = arith.extui %true_0 : i1 to i32
    %2 = arith.extui %true_1 : i1 to i32
    %3 = arith.extui %true_2 : i1 to i32
    %4 = arith.extui %true_3 : i1 to i32
    %5 = "nv_tileaa.make_memref"(%arg0, %0, %1, %2, %3, %4) <{operandSegmentSizes = array<i32: 1, 0, 3, 2>}> : (!nv_tileaa.ptr<f16, 1>, i32, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 22]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<f8E4M3FN, <unicast>>>) {
    %tview = make_tensor_view %arg0, shape = [7], strides = [10] : tile<ptr<f8E4M3FN, <unicast>>> -> tensor_view<7xf8E4M3FN, strides=[10], #cuda_tile.ptr_attr<unicast>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f8E4M3FN, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<f8E4M3FN, 1>):
    %0 = "nv_tileaa.make_memref"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<f8E4M3FN, 1>) -> !nv_tileaa.memref<7xf8E4M3FN, strides = [10]>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
