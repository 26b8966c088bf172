/* glnn/nearest.h - how the nearest prototypes of samples are searched */
#ifndef GLNN_NEAREST_H
#define GLNN_NEAREST_H

#include <glnn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How learners find the prototypes m that are nearest to a sample x. What is compared is the score
 * |m|^2 - 2 x m, which orders prototypes as the squared distance |x - m|^2 does. Whatever is
 * chosen, of equal scores the prototype with the lowest number wins; two ways may only differ where
 * scores differ by less than their rounding. */
typedef enum glnn_search {
    GLNN_SEARCH_AUTO = 0,  /* by the shape and the room for textures: FUSED for few samples and
                              for scores that take more than a quarter of the budget for
                              textures, TILES for up to 256 prototypes, else REDUCTION            */
    GLNN_SEARCH_TILES,     /* scores are stored; one fragment compares those of one sample        */
    GLNN_SEARCH_REDUCTION, /* scores are stored; the least of ever fewer parts of a row are found */
    GLNN_SEARCH_FUSED,     /* scores are compared where they are computed and stored nowhere      */
    GLNN_SEARCH_COUNT
} glnn_search;

/* The search's name in lower case: "auto", "tiles", "reduction", "fused"; "unknown search" past the
 * list. Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_search_name(glnn_search search);
GLNN_API glnn_status glnn_search_from_name(const char *name, glnn_search *out);

#ifdef __cplusplus
}
#endif
#endif
