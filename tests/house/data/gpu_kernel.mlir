// A kernel of the dialects `llvm` and `nvvm`, with an operation of each kind that PTX is written for.
llvm.mlir.global internal @total(0 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<32 x i32>
llvm.func @twice(%x: i32) -> i32 {
  %sum = llvm.intr.sadd.sat(%x, %x) : (i32, i32) -> i32
  llvm.return %sum : i32
}
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %from = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %from : !llvm.ptr<1> -> f32
  %y = llvm.intr.sqrt(%x) : (f32) -> f32
  %z = llvm.fadd %y, %x : f32
  %h = llvm.fptrunc %z : f32 to f16
  %n = llvm.fptosi %h : f16 to i32
  %m = llvm.call @twice(%n) : (i32) -> i32
  %less = llvm.icmp "slt" %m, %zero : i32
  llvm.cond_br %less, ^done(%m : i32), ^more
^more:
  %big = llvm.zext %m : i32 to i128
  %square = llvm.mul %big, %big : i128
  %low = llvm.trunc %square : i128 to i32
  llvm.br ^done(%low : i32)
^done(%r: i32):
  %total = llvm.mlir.addressof @total : !llvm.ptr<1>
  %old = llvm.atomicrmw add %total, %r syncscope("device") acq_rel : !llvm.ptr<1>, i32
  llvm.fence syncscope("block") release
  %pair = llvm.mlir.undef : vector<2xi32>
  %one = llvm.insertelement %r, %pair[%zero : i32] : vector<2xi32>
  %max = "llvm.intr.vector.reduce.smax"(%one) : (vector<2xi32>) -> i32
  %cells = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  nvvm.mbarrier.init %cells, %r : !llvm.ptr<3>, i32
  nvvm.cp.async.shared.global %cells, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.barrier0
  %rows = nvvm.ldmatrix %cells {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  %few = nvvm.convert.float.to.tf32 %z {rnd = #nvvm.fp_rnd_mode<rna>}
  %near = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%z) : (f32) -> f32
  %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %max, %to : i32, !llvm.ptr<1>
  llvm.return
}
