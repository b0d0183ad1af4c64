// module
cuda_tile.module @example {
  entry @kernel() {
    return
  }
}

// -----

// entry
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) {
    return
  }
}

// -----

// global
cuda_tile.module @example {
  global  @table alignment = 16 <f32: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tile<4xf32>
  entry @kernel() {
    return
  }
}

// -----

// get_global
cuda_tile.module @example {
  global  @table alignment = 16 <f32: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tile<4xf32>
  entry @kernel() {
    %0 = get_global @table : tile<ptr<f32>>
    return
  }
}
