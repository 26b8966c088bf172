/** @file
 *  @ingroup glnn_learners
 *  @brief Exports: trained learners as source that needs no library, in C or GLSL.
 *
 *  An export writes one file of C99 that computes the outputs and the class of a sample. The file
 *  allocates no memory and includes at most `math.h`, and for the texts of tables `stdlib.h` and
 *  `string.h`. All numbers that were learnt are constant arrays of float, which a linker can place
 *  in read-only memory. So a program without this library, or a microcontroller, can use the
 *  learner.
 *
 *  The caller chooses a name. For the name `digits` the file defines:
 *
 *      #define DIGITS_FEATURES  numbers of a sample
 *      #define DIGITS_OUTPUTS   numbers that are predicted for it
 *      #define DIGITS_SCRATCH   floats of static memory for intermediate results
 *
 *      void digits_predict(const float *input, float *output);
 *      int digits_classify(const float *input);
 *
 *  `input` has DIGITS_FEATURES numbers, and `output` has room for DIGITS_OUTPUTS numbers; the two
 *  do not overlap. The outputs and the class are those of the `predict` function of the learner.
 *  Sizes are int: if int has 16 bits, no layer can have more than 32767 numbers.
 *
 *  If the learner has a preparation, `input` is a raw sample. The file then contains the scale and
 *  the projection, and undoes the scale of the targets (glnn_preparation_apply() and
 *  glnn_scale_undo()).
 *
 *  If the preparation has names of classes, the file has them too, in the order of the numbers that
 *  `digits_classify` gives:
 *
 *      #define DIGITS_CLASSES  number of classes
 *
 *      extern const char *const digits_classes[DIGITS_CLASSES];
 *
 *  If the preparation has the columns of a table, the file also makes raw samples of the texts of a
 *  row, with the same bits as glnn_csv_columns_parse() and glnn_csv_columns_encode():
 *
 *      #define DIGITS_FIELDS  texts of a row, one for each feature column
 *
 *      int digits_encode(const char *const *field, float *input);
 *
 *  The order of the columns is that of glnn_csv_columns::of, and a comment at the head of the
 *  file has the name and the type of each, and the names of the targets. NULL, an empty text and
 *  the words of glnn/csv.h, such as `NA`, are missing values. The result is 0, or the number
 *  from 1 of the first field that should be a number or a date and is not; it then counts as
 *  missing. If there is none, the result is minus the number of unknown categories: texts that
 *  training has not seen, or has pooled with other rare ones. Their features are those of
 *  glnn_csv_columns_encode(), so the sample can still be used, but the model knows less about it
 *  than about others. The texts are read as glnn_csv_columns_parse() reads them: blanks around
 *  them are skipped, and numbers have the decimal mark of the table. The function calls `strtof`
 *  and `strtod`, so the locale of the program must have a decimal point.
 *
 *  ### Use of the file
 *
 *  The file is a translation unit of its own. A source file that calls the functions includes it
 *  after a definition that leaves only the declarations:
 *
 *      #define DIGITS_DECLARATIONS_ONLY
 *      #include "digits.c"
 *
 *  The functions keep intermediate results in static memory, so two threads cannot call them at the
 *  same time. The macro DIGITS_STORAGE is the storage class of this memory, `static` if it is not
 *  defined. With `static _Thread_local` the functions are safe for threads.
 *
 *  ### Shaders
 *
 *  glnn_network_export_glsl() writes the same as text for a shader. So each fragment or invocation
 *  of a host's shader, or of a web page with WebGL 2, can compute a network by itself:
 *
 *      #define DIGITS_FEATURES  numbers of a sample
 *      #define DIGITS_OUTPUTS   numbers that are predicted for it
 *
 *      void digits_predict(in float inputs[DIGITS_FEATURES], out float outputs[DIGITS_OUTPUTS])
 *      int digits_classify(in float inputs[DIGITS_FEATURES])
 *
 *  The text compiles as GLSL 4.30 and as GLSL ES 3.00, in any stage. It has no `#version` line, so
 *  the host places it after its own, before the code that calls the functions. In GLSL ES it sets
 *  the default precision of float and int to highp. All other names begin with that of the export
 *  too, so a shader can have several exports. */
#ifndef GLNN_EXPORT_H
#define GLNN_EXPORT_H

#include <glnn/learner.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_learners
 *  @{ */

/** The most characters of the name of an export. */
#define GLNN_EXPORT_MAX_NAME 48

/** Exports a network, an LVQ classifier, the centres of k-means or a support vector machine.
 *
 * Of a network, DROPOUT is left out, and BATCH_NORM becomes a factor and an offset of each channel.
 * A dense layer or a convolution without an activation takes them over into its weights if
 * BATCH_NORM follows it and no other layer reads its output. Weights have the order of the arrays
 * of its file (glnn/network.h).
 *
 * Outputs of LVQ and k-means follow from differences of samples and prototypes, or with GMLVQ from
 * those of their images under Omega. They are therefore more exact than those of
 * glnn_learner_predict(). The output of a class without prototypes is -INFINITY of `math.h`.
 *
 * @numbers The file computes in float. Sums of a network or a support vector machine have another
 *   order than in the library, so that outputs differ by rounding errors. Those with MIXED differ
 *   more.
 * @errors
 *   - GLNN_E_ARG: an argument is null; the path is empty; `name` does not consist of 1 to
 *     GLNN_EXPORT_MAX_NAME letters, digits and underscores of ASCII, or does not begin with a
 *     letter.
 *   - GLNN_E_UNSUPPORTED: the learner is a mixture, or a network with a layer FUNCTION.
 *   - GLNN_E_DIVERGED: a number that was learnt is not finite; nothing is written.
 *   - GLNN_E_STATE: the context was destroyed; there are no prototypes or centres yet; RSLVQ, and
 *     its sigma is not known yet.
 *   - GLNN_E_IO: as glnn_safetensors_write(), which describes how the file is replaced.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_learner_export_c(const glnn_learner *learner, const char *path,
                                           const char *name);

/** The most bytes of the text that glnn_network_export_glsl() writes. */
#define GLNN_EXPORT_MAX_GLSL 65536

/** Exports a network as GLSL functions.
 *
 * The text computes all that the C file of glnn_learner_export_c() computes, in the same way: all
 * kinds of layers, the probabilities of the loss and the preparation. About 4500 parameters fit
 * into GLNN_EXPORT_MAX_GLSL bytes.
 *
 * Each fragment has an array of the numbers that are computed for a sample, which the text declares
 * as `NAME_numbers`. Drivers limit its size. Software rasterisers end all loops of a fragment after
 * 65535 turns together, without an error, so a convolution of a large image needs a GPU.
 *
 * @numbers The text computes in float, LAYER_NORM included. Constants are written so that the
 *   compiler reads the same float32 back. Outputs differ from those of glnn_learner_predict() by
 *   rounding errors, and by those of `exp`, of which GLSL leaves the precision to the driver.
 * @errors
 *   - GLNN_E_ARG: an argument is null; the learner is not a network; the path is empty; `name` is
 *     not as for glnn_learner_export_c(). GLSL reserves the name: it has two underscores in a row
 *     or one at its end, or it is or begins with `gl_` or `webgl_`, in upper or lower case.
 *   - GLNN_E_LIMIT: the text would have more than GLNN_EXPORT_MAX_GLSL bytes. The sentence has both
 *     sizes. A file at `path` stays as it is.
 *   - GLNN_E_DIVERGED: a number that was learnt is not finite; nothing is written.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_IO: as glnn_safetensors_write(), which describes how the file is replaced.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_network_export_glsl(const glnn_learner *learner, const char *path,
                                              const char *name);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
