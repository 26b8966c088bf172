// Smooths a field of cells along one AXIS with a Gaussian. A cell is a column group of a PACKED
// matrix, and the field repeats beyond its edges. Its sides are powers of two.
// Uniforms:
//   radius: cells on either side
//   falloff: -1 / (2 sigma^2)

vec4 cell(int row, int group, int step)
{
#if AXIS == AXIS_X
    return X_stored(row, group + step & output_size.y / 4 - 1);
#else
    return X_stored(row + step & output_size.x - 1, group);
#endif
}

void block(ivec2 at)
{
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int i = -radius; i <= radius; ++i) {
        float weight = exp(falloff * float(i * i));
        sum += weight * cell(at.y, at.x, i);
        weights += weight;
    }
    tile[0] = sum / weights;
}
