/* A host that samples textures with the functions of glnn_layout_glsl. */
#ifndef TESTS_SAMPLING_H
#define TESTS_SAMPLING_H

#include "guest.h"

/* All elements of a matrix of the guest, each fetched by a fragment of the host. */
array sampled_by_host(const glnn_matrix *matrix);

#endif
