"""Operations that combine the elements of tiles: reductions and scans."""
