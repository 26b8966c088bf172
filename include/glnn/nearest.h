/** @file
 *  @ingroup glnn_ops
 *  @brief How learners search for the prototypes that are nearest to a sample.
 *
 *  glnn_lvq_desc (glnn/lvq.h) and glnn_kmeans_desc (glnn/kmeans.h) have a field `search` for it. */
#ifndef GLNN_NEAREST_H
#define GLNN_NEAREST_H

#include <glnn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** How the nearest prototype m of a sample x is found. The centres of k-means are prototypes too.
 *
 * Each way compares the scores |m|^2 - 2 x m, which order the prototypes as the squared distances
 * |x - m|^2 do. They differ in where the scores are stored, and so in memory and speed. If two
 * prototypes have equal scores, the one with the lower number wins. Two ways may find different
 * prototypes only if the scores differ by less than their rounding errors. */
typedef enum glnn_search {
    /** The library chooses FUSED for fewer than 4 samples, and if the scores would take more than a
     * quarter of the texture budget. Otherwise it chooses TILES or REDUCTION, whichever is faster
     * by the device profile; with fewer than 16 samples also FUSED, if that is the fastest. Small
     * searches go by the built-in profile, so that they measure nothing. */
    GLNN_SEARCH_AUTO = 0,
    GLNN_SEARCH_TILES,     /**< stores all scores; one fragment compares those of one sample */
    GLNN_SEARCH_REDUCTION, /**< stores all scores; several passes compare ever fewer of them */
    GLNN_SEARCH_FUSED,     /**< compares the scores in the pass that computes them; stores none */
    GLNN_SEARCH_COUNT
} glnn_search;

/** The name of a way to search: "auto", "tiles", "reduction", "fused". @since 0.1 */
GLNN_API const char *glnn_search_name(glnn_search search);

/** The way to search with a name. @since 0.2 */
GLNN_API glnn_status glnn_search_from_name(const char *name, glnn_search *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
