// addi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = addi %cst_i32, %cst_i32_0 overflow<no_signed_wrap> : tile<4xi32>
    return
  }
}

// -----

// subi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = subi %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// muli
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = muli %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// mulhii
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = mulhii %cst_i32, %cst_i32_0 : tile<4xi32>
    return
  }
}

// -----

// divi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = divi %cst_i32, %cst_i32_0 signed rounding<negative_inf> : tile<4xi32>
    return
  }
}

// -----

// remi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = remi %cst_i32, %cst_i32_0 signed : tile<4xi32>
    return
  }
}

// -----

// maxi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = maxi %cst_i32, %cst_i32_0 signed : tile<4xi32>
    return
  }
}

// -----

// mini
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = mini %cst_i32, %cst_i32_0 signed : tile<4xi32>
    return
  }
}

// -----

// absi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %0 = absi %cst_i32 : tile<4xi32>
    return
  }
}

// -----

// negi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %0 = negi %cst_i32 : tile<4xi32>
    return
  }
}

// -----

// cmpi
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %cst_i32_0 = constant <i32: [5, 7, 2, 3]> : tile<4xi32>
    %0 = cmpi less_than %cst_i32, %cst_i32_0, signed : tile<4xi32> -> tile<4xi1>
    return
  }
}
