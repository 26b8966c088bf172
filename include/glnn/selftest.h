/** @file
 *  @ingroup glnn_context
 *  @brief Every operation on the user's device, compared with references: for bug reports.
 *
 *  Drivers have defects. A program whose results look wrong on one machine can find out whether the
 *  driver is the reason. The text of the self-test says which operation is affected. The command
 *  `glnn-train --selftest` prints it. */
#ifndef GLNN_SELFTEST_H
#define GLNN_SELFTEST_H

#include <glnn/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_context
 *  @{ */

/** Receives one line of the report without a newline. `line` is valid during the call only. The
 * function may call the library. */
typedef void (*glnn_selftest_fn)(void *user, const char *line);

/** The findings of a self-test. */
typedef struct glnn_selftest_report {
    size_t size;       /**< set by the caller: sizeof(glnn_selftest_report)                      */
    int ways;          /**< ways to compute that were tested: columns of the table               */
    int results;       /**< matrices, steps and searches that were compared with references      */
    int failed;        /**< results that differ by more than their bound, and calls that failed;
                            0: the self-test has passed                                          */
    int trials;        /**< properties of the driver that were tried                             */
    int trials_failed; /**< properties that the driver lacks; the report says what the library does
                            instead, so results can be right all the same                        */
    double worst;      /**< the greatest error of a result in units of its bound, at most 1 if
                            nothing failed; infinity for NaN. Calls that failed have none        */
    double seconds;    /**< wall clock */
} glnn_selftest_report;

/** Runs every operation and compares the results with references in double precision.
 *
 * The report begins with the driver, its limits, and the verdicts of the trials by which the
 * library finds defects of drivers. The table that follows has a row for each operation, and a
 * column for each way to compute: fragment shaders that write render targets, fragment shaders that
 * write images, compute shaders, and the tier targets. In operations, that tier has the shaders of
 * the first column, so only its trainings run, and its other cells are "-". The tier ES has the
 * first and the third column, the tier TARGETS the first alone. A cell is the greatest error in
 * units of the bound, or FAILED. A line below the row then names the first result that failed. A
 * failure does not end the self-test.
 *
 * Operations run with odd sizes in all layouts, with a PAGED operand, in float16, and with operands
 * and results in textures of 8 bits. Operations that share a kernel share these cases, and the ways
 * share the layouts of an operation. The last rows are kernels of the program's own, searches for
 * prototypes, and two training steps of small networks and of GLVQ.
 *
 * The library creates a context of its own for each way, by the description of `ctx`. An adopted
 * context cannot be created again, so only its own stage is tested, in this context, and operations
 * meet those layouts that fall to this stage. Plans are made from the built-in profile. On the same
 * device and driver all lines but the last one are the same in each run. The self-test compiles
 * about 700 programs. If the cache folder does not have them yet, that takes about half a minute on
 * two cores without a GPU.
 *
 * @formula An operation has the bound that its header states, and at most one more rounding where
 *   the result has 16 or 8 bits. A parameter w after a training step may differ from the reference
 *   by what an error of 2^-16 of the greatest gradient changes, and by 2^-20 (|w| + rate) more.
 * @param  line receives the report line by line; NULL: nobody reads it.
 * @param  user passed to each call of `line`.
 * @param  out  NULL: nobody reads it.
 * @errors
 *   - GLNN_E_ARG: `ctx` is null, or `out->size` is too small.
 *   - GLNN_E_STATE: the context was destroyed, records a list, or is adopted and not current.
 *   - GLNN_OK also if results are wrong: see glnn_selftest_report::failed.
 * @owner  the caller.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_selftest(glnn_context *ctx, glnn_selftest_fn line, void *user,
                                   glnn_selftest_report *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
