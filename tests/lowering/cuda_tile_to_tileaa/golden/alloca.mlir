cuda_tile.module @kernels {
  entry @k0() {
    %0 = alloca num_elem = 1, alignment = 32 : tile<ptr<i1>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = llvm.mlir.constant(1 : i64) : i64
    %1 = llvm.alloca %0 x i8 {alignment = 32 : i64} : (i64) -> !llvm.ptr
    %2 = builtin.unrealized_conversion_cast %1 : !llvm.ptr to !nv_tileaa.ptr<i1, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %0 = alloca num_elem = 3, alignment = 8 : tile<ptr<i64, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = llvm.mlir.constant(24 : i64) : i64
    %1 = llvm.alloca %0 x i8 {alignment = 8 : i64} : (i64) -> !llvm.ptr
    %2 = builtin.unrealized_conversion_cast %1 : !llvm.ptr to !nv_tileaa.ptr<i64, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
