/** @file
 *  @ingroup glnn_train
 *  @brief Inspections: one training step pass by pass, with the numbers that each pass has read and
 *  written.
 *
 *  An inspection makes the next step of a trainer and keeps copies of all matrices as each pass
 *  finds and leaves them. Afterwards a program can look at the passes in any order, forwards and
 *  backwards, while the training goes on:
 *
 *      glnn_inspection *inspection;
 *      glnn_inspection_create(trainer, &inspection);
 *      for (int i = 0; i < glnn_inspection_get_pass_count(inspection); ++i) {
 *          glnn_pass_info pass = {.size = sizeof pass};
 *          glnn_inspection_get_pass(inspection, i, &pass);
 *          printf("%d: %s writes %s\n", i, pass.kernel, glnn_matrix_get_name(pass.output));
 *      }
 *      glnn_inspection_destroy(inspection);
 *
 *  For an element of an output, glnn_inspection_find_fetches() counts the texels that its fragment
 *  has fetched, and glnn_inspection_get_shader() gives the GLSL text of the pass. Copies and counts
 *  are matrices, so they can be downloaded (glnn_download_begin()) or drawn
 *  (glnn_matrix_get_texture()), and nothing here waits for the GPU. */
#ifndef GLNN_INSPECTION_H
#define GLNN_INSPECTION_H

#include <glnn/trainer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** The passes of one training step. */
typedef struct glnn_inspection glnn_inspection;

/** Makes the next step of a training, and keeps what its passes read and write.
 *
 * The step trains, with the same bits as one of glnn_trainer_step(). All parts of a batch are kept,
 * and each matrix is copied before the first pass that reads it and after each pass that writes it.
 * The copies take memory: for a usual network about that of its parameters, their gradients and the
 * activations of a batch. The samples of a resident data set are not copied, because they do not
 * change. The inspection shares them, and keeps them after the data set is destroyed.
 *
 * @passes  Those of the step, and copies between them.
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: as glnn_trainer_step() without a time limit.
 *   - GLNN_E_NOMEM, GLNN_E_LIMIT: there is no room for the copies. The step is made nevertheless,
 *     and the training can go on.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @owner   the caller, who passes it to glnn_inspection_destroy(). It needs neither the trainer nor
 *          the learner afterwards.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_inspection_create(glnn_trainer *trainer, glnn_inspection **out);

/** The number of passes of the step; 0 for NULL. In the lower tiers a pass with side outputs
 * consists of parts, each of which counts and writes some of the outputs.
 *
 * @thread any.
 * @since  0.2 */
GLNN_API int glnn_inspection_get_pass_count(const glnn_inspection *inspection);

/** Describes pass `number`, from 0, in the order in which they were submitted.
 *
 * The matrices are copies: operands as the pass found them, the output and the side outputs as it
 * left them. `former_output` is the output as the pass found it, if the pass adds to it or writes
 * only a part of it. `former_side_outputs` are the side outputs as it found them. Two passes with
 * the same copy have seen the same numbers.
 *
 * If a pass consists of parts, each part has the outputs that it writes as it left them, and the
 * others as it found them. All parts find the same numbers: those from before the first part.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, `out->size` is too small, or there are not as many passes.
 *   - GLNN_E_STATE: the context was destroyed.
 * @owner  the inspection; the pointers are valid until it is destroyed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_inspection_get_pass(const glnn_inspection *inspection, int number,
                                              glnn_pass_info *out);

/** Gives the GLSL text of the shader that computed a pass: the generated definitions, the included
 * files, the kernel and the main function. It is the vertex shader where a part of a pass draws
 * points.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or there are not as many passes.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_IO: a shader file of `glnn_context_desc.shader_dir` is gone.
 *   - GLNN_E_NOMEM: see glnn/base.h.
 * @owner  the inspection; the text is valid until the next call.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_inspection_get_shader(glnn_inspection *inspection, int number,
                                                const char **text);

/** Finds the rectangle of the output that one fragment of a pass computed, together with element
 * (row, column).
 *
 * It is a block of the output's layout, or two blocks, one below the other, where a fragment stacks
 * them. In the compute stage an invocation computes it.
 *
 * A part of a pass that does not write the output (glnn_pass_info.writes_output) has the first side
 * output that it writes in its place. If that one has a texel for each sample, a point computes it.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, there are not as many passes, or the element is not in the
 *     output.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_inspection_get_block(const glnn_inspection *inspection, int number,
                                               int row, int column, glnn_rect *out);

/** Counts how often the fragment that computed element (row, column) of a pass's output fetched
 * each texel of an operand. The output is that of glnn_inspection_get_block().
 *
 *     out[i][j] = fetches of the texel that holds element (i, j) of the operand
 *
 * So the four elements of a texel of a TILED or PACKED operand have the same number. A fragment
 * that reads beyond the last row or column fetches the texel at the edge. The counts are those of
 * the shader's text; a compiler can merge equal fetches.
 *
 * The counts come from the kernel of the pass: a fragment for each texel of the operand runs the
 * kernel for the block, and compares each fetch with its texel. So they are those of a fragment
 * that computes the block alone, in these cases too:
 *   - The compute stage counts in the fragment stage. Where the invocations of a work group share a
 *     block or their fetches, the counts are those of a fragment that computes the whole block. Of
 *     a product by shared memory (`ops/gemm_shared`), they are those of `ops/gemm`.
 *   - Where the fragments of a quad share fetches, each count is that of the values used.
 *   - Of a pass that draws only some rows, the block of another row has the fetches that it would
 *     make.
 *   - Fetches for side outputs, and of the former output, are not counted.
 *
 * @passes  Two.
 * @shapes  `out` has the shape of the operand. Any layout but PAGED.
 * @errors
 *   - GLNN_E_ARG: an argument is null; there are not as many passes; the element is not in the
 *     output; the pass has fewer operands; `out` is PAGED or belongs to another context.
 *   - GLNN_E_SHAPE: `out` has another shape.
 *   - GLNN_E_STATE: a list is being recorded; the context was destroyed.
 *   - GLNN_E_SHADER, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: see glnn/base.h.
 * @owner   `out` is the caller's.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_inspection_find_fetches(glnn_inspection *inspection, int number, int row,
                                                  int column, int operand, glnn_matrix *out);

/** Destroys an inspection and its copies. NULL does nothing. The call may follow
 * glnn_context_destroy().
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API void glnn_inspection_destroy(glnn_inspection *inspection);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
