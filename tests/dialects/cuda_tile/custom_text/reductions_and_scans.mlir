// reduce
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %reduce = reduce %cst_f32 dim=1 identities=[0.000000e+00 : f32] : tile<2x4xf32> -> tile<2xf32> 
    (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
      %0 = addf %reduce_lhs, %reduce_rhs  : tile<f32>
      yield %0 : tile<f32>
    }
    return
  }
}

// -----

// scan
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %0 = scan %cst_f32 dim=1 reverse=false identities=[0.000000e+00 : f32] : tile<2x4xf32> -> tile<2x4xf32> 
    (%arg0: tile<f32>, %arg1: tile<f32>) {
      %1 = addf %arg0, %arg1  : tile<f32>
      yield %1 : tile<f32>
    }
    return
  }
}
