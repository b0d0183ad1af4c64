// shli
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %0 = shli %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// shri
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = shri %cst_i32, %cst_i32_0 signed : tile<4xi32>
    return
  }
}

// -----

// andi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = andi %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// ori
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = ori %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// xori
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = xori %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}
