// constant
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: 1.500000e+00> : tile<2x4xf32>
    return
  }
}

// -----

// iota
cuda_tile.module @example {
  entry @kernel() {
    %0 = iota : tile<8xi32>
    return
  }
}

// -----

// broadcast
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tile<1x4xf32>
    %bcast = broadcast %cst_f32 : tile<1x4xf32> -> tile<2x4xf32>
    return
  }
}

// -----

// reshape
cuda_tile.module @example {
  entry @kernel() {
    %0 = iota : tile<8xi32>
    %reshape = reshape %0 : tile<8xi32> -> tile<2x4xi32>
    return
  }
}

// -----

// permute
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: 1.500000e+00> : tile<2x4xf32>
    %0 = permute %cst_f32 [1, 0] : tile<2x4xf32> -> tile<4x2xf32>
    return
  }
}

// -----

// cat
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_f32 = constant <f32: 1.000000e+00> : tile<2x4xf32>
    %cst_2_f32 = constant <f32: 2.000000e+00> : tile<2x4xf32>
    %0 = cat %cst_1_f32, %cst_2_f32 dim = 1 : tile<2x4xf32>, tile<2x4xf32> -> tile<2x8xf32>
    return
  }
}

// -----

// extract
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: 1.500000e+00> : tile<4x8xf32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %0 = extract %cst_f32[%cst_1_i32, %cst_3_i32] : tile<4x8xf32> -> tile<2x2xf32>
    return
  }
}

// -----

// insert
cuda_tile.module @example {
  entry @kernel() {
    %cst_9_f32 = constant <f32: 9.000000e+00> : tile<2x2xf32>
    %cst_f32 = constant <f32: 1.500000e+00> : tile<4x8xf32>
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %0 = insert %cst_9_f32, %cst_f32[%cst_1_i32, %cst_3_i32] : tile<2x2xf32>, tile<4x8xf32>
    return
  }
}

// -----

// select
cuda_tile.module @example {
  entry @kernel() {
    %cst_i1 = constant <i1: [true, false, false, true]> : tile<4xi1>
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = select %cst_i1, %cst_f32, %cst_f32_0 : tile<4xi1>, tile<4xf32>
    return
  }
}

// -----

// offset
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %cst_16_i64 = constant <i64: 16> : tile<i64>
    %0 = offset %arg0, %cst_16_i64 : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    return
  }
}
