cuda_tile.module @kernels {
  entry @k0() {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
