/** @file
 *  @ingroup glnn_matrix
 *  @brief Matrices and the textures of a program that draws.
 *
 *  A program that draws, the *host*, shares textures with the library, without a copy.
 *  glnn_matrix_adopt() makes a matrix of the host's texture. glnn_matrix_get_texture() names the
 *  texture of a matrix, and glnn_layout_glsl() returns the GLSL function that reads an element of
 *  it.
 *
 *  Rows: row 0 of a matrix is the row of texels whose coordinate t is lowest. It is the first one
 *  that glTexImage2D takes, and the lowest on screen if the host renders to the texture. Images in
 *  files usually begin with the highest row. */
#ifndef GLNN_TEXTURE_H
#define GLNN_TEXTURE_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_matrix
 *  @{ */

/** How the texels of an adopted texture are elements. Texel (x, y) is in column x of texels and row
 * y, counted from 0. Its channels are red, green, blue and alpha in this order, or red alone. */
typedef enum glnn_pixels {
    GLNN_PIXELS_AS_COLUMNS = 0, /**< channel c of texel (x, y) is the element in row y and column
                                     channels * x + c; for an image that is a sample per row, or a
                                     plain matrix                                                 */
    GLNN_PIXELS_AS_ROWS,        /**< channel c of texel (x, y) is the element in row width * y + x
                                     and column c: each texel is a sample. The width must be a
                                     power of two                                                 */
    GLNN_PIXELS_COUNT
} glnn_pixels;

/** The name of an arrangement of pixels: "as_columns", "as_rows". @since 0.2 */
GLNN_API const char *glnn_pixels_name(glnn_pixels pixels);

/** The arrangement of pixels with a name. @since 0.2 */
GLNN_API glnn_status glnn_pixels_from_name(const char *name, glnn_pixels *out);

/** Describes a texture of the host. Zeros mean the defaults; `texture` has none. */
typedef struct glnn_texture_desc {
    unsigned texture;   /**< OpenGL's name of the texture                                        */
    unsigned target;    /**< GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY; 0: GL_TEXTURE_2D              */
    int level;          /**< that is the matrix                                                  */
    int layer;          /**< that is the matrix; 0 for GL_TEXTURE_2D                             */
    glnn_pixels pixels; /**< 0: AS_COLUMNS                                                       */
    int channels;       /**< AS_ROWS of a format with four channels: the first 1 to 4; 0: all    */
    const char *name;   /**< for traces and error sentences; NULL: "texture"                     */
    int width;          /**< of the level in texels. This and the next three are what WebGL does not
                             tell, so they are needed there, and ignored elsewhere               */
    int height;         /**< of the level in texels                                              */
    int layers;         /**< of the texture; 0: 1                                                */
    unsigned format;    /**< its internal format, such as GL_RGBA32F                             */
    uint64_t reserved[2]; /**< zeros; room for later versions */
} glnn_texture_desc;

/** Makes a matrix of one level and one layer of a host's texture, without a copy.
 *
 * The matrix can be an operand and an output wherever a matrix can. Formats with four channels
 * become PACKED matrices, and formats with one channel become UNPACKED ones; the storage is that of
 * the format: FLOAT32 for GL_RGBA32F and GL_R32F, FLOAT16 for GL_RGBA16F, UNORM8 for GL_RGBA8 and
 * GL_R8. GL_RGBA and GL_RED are taken if the driver made 8 bits of them. Other formats are refused,
 * those of sRGB too. A call that writes a matrix of fewer `channels` than its format sets the other
 * channels to 0; operations do not see them.
 *
 * Both immutable and mutable textures can be adopted. The library changes no parameter of a
 * texture, and the filter does not matter. GL_TEXTURE_SWIZZLE_RGBA must not change channels that
 * are columns. The level must lie between GL_TEXTURE_BASE_LEVEL and GL_TEXTURE_MAX_LEVEL; above the
 * base level of a mutable texture, all levels of the mipmap must exist.
 *
 * In an adopted context the library sees what the host's earlier commands have written by drawing
 * or by transfers. Before it reads what the host's shaders stored to images, the host issues
 * glMemoryBarrier(). After the call, or after glnn_context_end(), the host's commands see what the
 * library wrote.
 *
 * The library writes in place, with two exceptions, in which it writes to another texture and
 * copies that. One is an output whose texture is also an operand. The other is a texture whose
 * filter needs a mipmap that it lacks, if passes write images, as they do in the compute stage.
 *
 * A context of the library's own is created without sharing objects with another one. A host can
 * create a context of its own afterwards that shares objects with it: glnn_context_create() leaves
 * the library's context current, where eglGetCurrentContext() or, for GLNN_PLATFORM_GLFW,
 * glfwGetCurrentContext() returns it. Contexts that share objects must treat a reset of the device
 * alike. Those of the library lose themselves where the driver offers it, so EGL refuses the host's
 * with EGL_BAD_MATCH unless it has EGL_LOSE_CONTEXT_ON_RESET as its strategy of notification, too.
 * Then the host calls glFinish() before the library reads, and glnn_context_finish() before it
 * reads itself, and binds the texture anew.
 *
 * WebGL tells neither the size nor the format of a texture, nor whether a mipmap is complete. There
 * the library takes the description's word, and does not see later changes of them.
 *
 * The host can delete the texture, or change its size, format or parameters, between calls. The
 * matrix is then refused with GLNN_E_STATE until the texture is as it was. In a texture of an equal
 * size and format that gets the same name, the matrix goes on. A result that needs several passes
 * can be incomplete after a call that failed. OpenGL can keep the memory of a deleted texture that
 * the library has written, until the matrix is destroyed or refused. If the context is not current
 * when the matrix is destroyed, the next call frees that memory.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or a field of `desc` is out of its range. The texture does
 *     not exist, has another target, format or swizzle, or lacks the level or layer. For AS_COLUMNS
 *     `channels` is given, or for AS_ROWS the width is not a power of two. With WebGL, the size or
 *     the format is not given.
 *   - GLNN_E_STATE: the context was destroyed, or is adopted and not current.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner  the caller, who passes the matrix to glnn_matrix_destroy(). `name` is copied. The texture
 *         stays the host's; the library never deletes it, and the texture budget does not count it.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_matrix_adopt(glnn_context *ctx, const glnn_texture_desc *desc,
                                       glnn_matrix **out);

/** The texture of a matrix. Names, targets and formats are OpenGL's numbers. Of an adopted matrix,
 * they are those of the host's texture. */
typedef struct glnn_texture_info {
    size_t size;        /**< set by the caller: sizeof(glnn_texture_info)                        */
    unsigned texture;   /**< the name                                                            */
    unsigned target;    /**< GL_TEXTURE_2D, or GL_TEXTURE_2D_ARRAY if TILED or PAGED. Adopted:
                             either                                                              */
    unsigned format;    /**< internal format: GL_RGBA32F or GL_RGBA16F, GL_R32F or GL_R16F if
                             UNPACKED. Adopted: one of glnn_matrix_adopt()                       */
    int width;          /**< in texels. A texture can be larger than its matrix needs, for
                             example on software rasterisers. Adopted: of the level              */
    int height;         /**< in texels. Adopted: of the level                                    */
    int layers;         /**< of the texture; 1 for GL_TEXTURE_2D                                 */
    glnn_layout layout; /**< of the matrix                                                       */
    int wrap;           /**< 2^wrap rows of blocks lie side by side in a row of texels           */
    int level;          /**< 0. Adopted: the level that is the matrix                            */
    int layer;          /**< 0. Adopted: the layer that is the matrix                            */
} glnn_texture_info;

/** The texture of a matrix, to be sampled by the host.
 *
 * The texture holds the results of all earlier calls, and the caller can sample it or read it as an
 * image at once: the function issues the memory barrier that this needs. In a context of the
 * library's own, the caller samples in a context that shares objects with it, as for
 * glnn_matrix_adopt(). It then calls glnn_context_finish() first, and binds the texture anew.
 *
 * The texture of an adopted matrix is the host's, with the parameters that the host has set. Its
 * name stays the same. Any other texture belongs to the library. The caller must not write, resize
 * or delete it, nor change its parameters: its filter is nearest, its only level is 0, and
 * coordinates are clamped. The name is valid until the next call that writes the matrix, because
 * the result of a call can be in another texture.
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
 * the base level without a filter. It needs GLSL 1.30 or later.
 *
 * The function reads every matrix of the library's own. It reads an adopted matrix if the target is
 * GL_TEXTURE_2D and glnn_texture_info::level is the texture's GL_TEXTURE_BASE_LEVEL. For another
 * level or layer of an immutable texture, glTextureView() makes such a texture of it.
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
