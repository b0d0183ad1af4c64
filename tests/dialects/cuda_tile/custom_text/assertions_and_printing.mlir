// assert
cuda_tile.module @example {
  entry @kernel() {
    %true = constant <i1: true> : tile<4xi1>
    assert %true, "lanes must agree" : tile<4xi1>
    return
  }
}

// -----

// assume
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>
    return
  }
}

// -----

// print_tko
cuda_tile.module @example {
  entry @kernel() {
    %cst_3_i32 = constant <i32: 3> : tile<i32>
    %cst_f32 = constant <f32: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tile<4xf32>
    %0 = print_tko "i = %d, x = %f\0A", %cst_3_i32, %cst_f32 : tile<i32>, tile<4xf32> -> token
    return
  }
}
