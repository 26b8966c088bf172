//! use sequence
// The loss of a row of a batch goes to the list LOSSES, at the place of its sample in the order of
// the epoch. LOSSES is UNPACKED, so that a store touches no other loss.
void store_loss(int place, float loss)
{
#if HAS_LOSSES
    LOSSES_store_row(ivec2(sequence_column(place), sequence_row(place)), vec4(loss));
#endif
}
