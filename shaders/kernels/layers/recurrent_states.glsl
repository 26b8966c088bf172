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
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int sequence = block_row(at, t) / times;
        int time = block_row(at, t) - sequence * times;
        int state = time + ahead;
        int row = (state >> 1) * state_rows + sequence;
        int place = block_texel(at, t);
        TEXEL value = TEXEL(0.0);
        if (state > 0 && (ends == 0 || is_within(time, sequence)))
            value = (state & 1) == 0 ? EVEN_texel(row, place) : ODD_texel(row, place);
        tile[t] = value;
    }
}
