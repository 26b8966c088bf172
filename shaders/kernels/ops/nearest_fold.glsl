//! use winners
// Joins the winners of neighbouring parts of a row. They stand side by side in P, and in stripes of
// rows one below the other.
// Uniforms:
//   factor: texels of a row of P that are joined
//   stripes: of rows of P
//   stripe_rows: rows of P in each

void block(ivec2 at)
{
    int begin = at.x * factor;
    int end = min(begin + factor, P_size.y >> 2);
    tile[0] = NONE;
    for (int s = 0; s < stripes; ++s)
        for (int q = begin; q < end; ++q)
            tile[0] = join(tile[0], P_quad(s * stripe_rows + at.y, q));
}
