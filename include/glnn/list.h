/** @file
 *  @ingroup glnn_ops
 *  @brief Lists: operations that are recorded once and run many times.
 *
 *  Between glnn_list_begin() and glnn_list_end(), operations are added to the list and compute
 *  nothing:
 *
 *      glnn_list *list;
 *      glnn_list_begin(ctx, &list);
 *      glnn_gemm(ctx, NULL, 1, a, b, 0, c);
 *      glnn_kernel_run(kernel, &(glnn_kernel_run_desc){.operands = {{.matrix = c}}}, d);
 *      glnn_list_end(list);
 *      for (int i = 0; i < 1000; ++i)
 *          glnn_list_run(list);
 *
 *  A run gives the same bits as the calls themselves, and takes less time on the CPU: the arguments
 *  are checked, the plans made and the programs chosen once. A list reads its matrices when it
 *  runs, so new elements can be uploaded between two runs. All other arguments, such as factors,
 *  seeds and uniforms, are those of the recording. A number that changes from run to run can be an
 *  element of a matrix that a kernel reads.
 *
 *  The operations of glnn/copy.h, glnn/gemm.h, glnn/kernel.h, glnn/map.h and glnn/reduce.h can be
 *  recorded. Other calls that need the device fail with
 *  GLNN_E_STATE while a list is recorded: uploads, downloads, creation of matrices and data sets,
 *  training and predictions. */
#ifndef GLNN_LIST_H
#define GLNN_LIST_H

#include <glnn/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** Recorded operations. */
typedef struct glnn_list glnn_list;

/** Begins to record a list.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: another list of the context is being recorded; the context was destroyed.
 *   - GLNN_E_NOMEM: see glnn/base.h.
 * @owner  the caller, who passes it to glnn_list_destroy().
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_list_begin(glnn_context *ctx, glnn_list **out);

/** Ends the recording. After an error the list cannot be run.
 *
 * A call that failed while the list was recorded is not part of it. The list keeps the memory of
 * its matrices until it is destroyed, even if they are destroyed before.
 *
 * @errors
 *   - GLNN_E_ARG: `list` is null.
 *   - GLNN_E_STATE: the list is not being recorded; a matrix or a kernel of the context that a list
 *     uses was destroyed since glnn_list_begin(); the context was destroyed.
 *   - GLNN_E_NOMEM: see glnn/base.h.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_list_end(glnn_list *list);

/** Runs the operations of a list in their order.
 *
 * The first run compiles the programs that do not exist yet.
 *
 * @passes  Those of the operations.
 * @errors
 *   - GLNN_E_ARG: `list` is null.
 *   - GLNN_E_STATE: the list is being recorded, or its recording failed; a matrix or a kernel that
 *     it uses was destroyed, or has another shape or layout; the context was destroyed. In a host's
 *     context, texture units that the list needs have objects that could not be bound again.
 *   - Those of the operations. The operations before the one that fails have then run.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_list_run(glnn_list *list);

/** Destroys a list. If it is being recorded, the recording ends. NULL does nothing. The call may
 * follow glnn_context_destroy().
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API void glnn_list_destroy(glnn_list *list);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
