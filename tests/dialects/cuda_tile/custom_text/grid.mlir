// get_tile_block_id
cuda_tile.module @example {
  entry @kernel() {
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
    return
  }
}

// -----

// get_num_tile_blocks
cuda_tile.module @example {
  entry @kernel() {
    %gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>
    return
  }
}
