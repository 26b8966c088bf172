//! use lengths
// States of a recurrent layer, with `times` rows for each sample. State 0 is zeros, and state i is
// that after i times. EVEN and ODD have the states of even and odd numbers, one after the other.
// Row `time` of a sample gets state time + ahead.
// Uniforms:
//   times: of the output
//   ahead
//   state_rows: from a state to the next one in the same operand
//   ends: not 0: rows after the end of a sequence get zeros

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int sequence = block_row(at, r * TEXELS_ACROSS) / times;
        int time = block_row(at, r * TEXELS_ACROSS) - sequence * times;
        int state = time + ahead;
        int row = (state >> 1) * state_rows + sequence;
        bool is_set = state > 0 && (ends == 0 || is_within(time, sequence));
        for (int u = 0; u < TEXELS_ACROSS; ++u) {
            int place = block_texel(at, u);
            TEXEL value = (state & 1) == 0 ? EVEN_texel(row, place) : ODD_texel(row, place);
            tile[r * TEXELS_ACROSS + u] = is_set ? value : TEXEL(0.0);
        }
    }
}
