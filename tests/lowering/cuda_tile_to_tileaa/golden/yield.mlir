cuda_tile.module @kernels {
  entry @k0(%arg0: tile<tf32>) {
    %reshape = reshape %arg0 : tile<tf32> -> tile<1xtf32>
    %reduce = reduce %reshape dim=0 identities=[3.714710e+21 : tf32] : tile<1xtf32> -> tile<tf32> 
    (%reduce_lhs: tile<tf32>, %reduce_rhs: tile<tf32>) {
      yield %reduce_lhs : tile<tf32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (tf32) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: tf32):
    %0 = "nv_tileaa.splat"(%arg0) : (tf32) -> tensor<1xtf32>
    %1 = "nv_tileaa.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: tf32, %arg2: tf32):
      "nv_tileaa.yield"(%arg2) : (tf32) -> ()
    }) {nv_tileaa.identities = [3.714710e+21 : tf32]} : (tensor<1xtf32>) -> tf32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_96344260_i32 = constant <i32: 96344260> : tile<1x16xi32>
    %cst_1930501083_i32 = constant <i32: 1930501083> : tile<1x16xi32>
    %reduce:2 = reduce %cst_96344260_i32, %cst_1930501083_i32 dim=0 identities=[1008825443 : i32, -346121270 : i32] : tile<1x16xi32>, tile<1x16xi32> -> tile<16xi32>, tile<16xi32> 
    (%reduce_lhs0: tile<i32>, %reduce_rhs0: tile<i32>, %reduce_lhs1: tile<i32>, %reduce_rhs1: tile<i32>) {
      %0 = muli %reduce_lhs0, %reduce_rhs0 : tile<i32>
      %1 = cmpi greater_than %reduce_lhs1, %reduce_rhs1, unsigned : tile<i32> -> tile<i1>
      %2 = if %1 -> (tile<i32>) {
        yield %reduce_lhs1 : tile<i32>
      } else {
        yield %reduce_rhs1 : tile<i32>
      }
      yield %0, %2 : tile<i32>, tile<i32>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 96344260 : i32}> : () -> tensor<1x16xi32>
    %1 = "nv_tileaa.splat"() <{value = 1930501083 : i32}> : () -> tensor<1x16xi32>
    %2:2 = "nv_tileaa.reduce"(%0, %1) <{axis = 0 : i32}> ({
    ^bb0(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32):
      %3 = arith.muli %arg2, %arg0 : i32
      %4 = arith.cmpi ugt, %arg3, %arg1 : i32
      %5 = scf.if %4 -> (i32) {
        scf.yield %arg3 : i32
      } else {
        scf.yield %arg1 : i32
      }
      "nv_tileaa.yield"(%3, %5) : (i32, i32) -> ()
    }) {nv_tileaa.identities = [1008825443 : i32, -346121270 : i32]} : (tensor<1x16xi32>, tensor<1x16xi32>) -> (tensor<16xi32>, tensor<16xi32>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
