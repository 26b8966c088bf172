/** @file
 *  @ingroup glnn_matrix
 *  @brief Matrices as textures of the program that draws.
 *
 *  A program that draws can sample the texture of a matrix where it lies. glnn_matrix_get_texture()
 *  names the texture, and glnn_layout_glsl() returns the GLSL function that reads an element of
 *  it. */
#ifndef GLNN_TEXTURE_H
#define GLNN_TEXTURE_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_matrix
 *  @{ */

/** The texture of a matrix. Names, targets and formats are OpenGL's numbers. */
typedef struct glnn_texture_info {
    size_t size;        /**< set by the caller: sizeof(glnn_texture_info)                        */
    unsigned texture;   /**< the name                                                            */
    unsigned target;    /**< GL_TEXTURE_2D, or GL_TEXTURE_2D_ARRAY if TILED or PAGED             */
    unsigned format;    /**< internal format: GL_RGBA32F or GL_RGBA16F, GL_R32F or GL_R16F if
                             UNPACKED                                                            */
    int width;          /**< in texels. A texture can be larger than its matrix needs, for
                             example on software rasterisers                                     */
    int height;         /**< in texels                                                           */
    int layers;         /**< 1 for GL_TEXTURE_2D                                                 */
    glnn_layout layout; /**< of the matrix                                                       */
    int wrap;           /**< 2^wrap rows of blocks lie side by side in a row of texels           */
} glnn_texture_info;

/** The texture of a matrix, to be sampled by the caller.
 *
 * The texture holds the results of all earlier calls, and the caller can sample it or read it as an
 * image at once: the function issues the memory barrier that this needs. In a context that was not
 * adopted, the caller samples in a context of its own that shares objects. It then calls
 * glnn_context_finish() first, and binds the texture anew.
 *
 * The texture belongs to the library. The caller must not write, resize or delete it, nor change
 * its parameters: its filter is nearest, its only level is 0, and coordinates are clamped. The name
 * is valid until the next call that writes the matrix, because the result of a call can be in
 * another texture.
 *
 * @errors
 *   - GLNN_E_ARG: `matrix` or `out` is null, or `out->size` is not set.
 *   - GLNN_E_STATE: the context was destroyed, or is adopted and not current.
 * @owner  `*out` is the caller's.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_matrix_get_texture(const glnn_matrix *matrix, glnn_texture_info *out);

/** The text of a GLSL function that reads an element of a matrix in the texture of
 * glnn_matrix_get_texture(). Its name contains the name of the layout:
 *
 * @code
 *     float glnn_tiled_element(sampler2DArray matrix, int wrap, int row, int column)
 *     float glnn_packed_element(sampler2D matrix, int wrap, int row, int column)
 *     float glnn_unpacked_element(sampler2D matrix, int wrap, int row, int column)
 *     float glnn_paged_element(sampler2DArray matrix, int wrap, int row, int column)
 * @endcode
 *
 * `wrap` is that of glnn_texture_info. Row and column must be inside the matrix. The function reads
 * level 0 without a filter. It needs GLSL 1.30 or later.
 *
 * @return the text, with a newline at its end; NULL for AUTO and for numbers that are not in the
 *         enumeration.
 * @owner  the library; the text is valid until the process ends.
 * @thread any.
 * @since  0.2 */
GLNN_API const char *glnn_layout_glsl(glnn_layout layout);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
