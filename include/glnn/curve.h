/** @file
 *  @ingroup glnn_train
 *  @brief Learning curves: the reports of the epochs of a training, and their CSV file.
 *
 *  A training adds the report of each epoch to glnn_train_desc::curve:
 *
 *      glnn_curve *curve;
 *      glnn_curve_create(&curve);
 *      glnn_learner_train(network, data, &(glnn_train_desc){.curve = curve}, NULL);
 *      glnn_curve_write_csv(curve, "curve.csv");
 *      glnn_curve_destroy(curve);
 *
 *  ### Resumed trainings
 *
 *  Epochs ascend along a curve. A report replaces the reports of the same epoch and of later ones,
 *  so a training that is resumed at an earlier epoch writes the rest of the curve again. A
 *  checkpoint holds the reports of its training, and resuming adds them to the curve.
 *  glnn_curve_continue() is for a second training that counts its epochs from 1; a program that
 *  resumes such a training reads the curve of the first one with glnn_curve_read_csv().
 *
 *  @anchor curve_csv
 *  ### The CSV file
 *
 *  The first row has the names of the columns. Each further row is an epoch:
 *
 *      epoch, step, rate,
 *      training_loss, training_accuracy, training_squared_error, training_r_squared,
 *      validation_loss, validation_accuracy, validation_squared_error, validation_r_squared,
 *      seconds, samples_per_second
 *
 *  The members of glnn_report and glnn_metrics with these names describe them. The field of a
 *  number that is not finite is empty, and so are the four of the validation if there was none. The
 *  decimal point is a point in every locale. Numbers have as many digits as reading needs to give
 *  the same numbers. */
#ifndef GLNN_CURVE_H
#define GLNN_CURVE_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Makes a curve without reports.
 *
 * @errors
 *   - GLNN_E_ARG: `out` is null.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner  the caller, who destroys it.
 * @thread any; one at a time for each curve.
 * @since  0.2 */
GLNN_API glnn_status glnn_curve_create(glnn_curve **out);

/** Destroys a curve. NULL is ignored. A trainer shares its curve with the caller, so the memory is
 * freed when all trainers that use it are destroyed too. @since 0.2 */
GLNN_API void glnn_curve_destroy(glnn_curve *curve);

/** Adds a report, after it has removed those of the same epoch and of later ones. A training with
 * glnn_train_desc::curve does this itself, before it calls the report function.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the epoch of the report is less than 1.
 *   - GLNN_E_LIMIT: the epoch would be above 2147483647 after glnn_curve_continue().
 *   - GLNN_E_NOMEM: main memory ran out; the curve stays as it was.
 * @owner  the curve keeps a copy.
 * @thread any; one at a time for each curve.
 * @since  0.2 */
GLNN_API glnn_status glnn_curve_add(glnn_curve *curve, const glnn_report *report);

/** Makes the curve count on from its last report: the epochs, steps and seconds of further reports
 * are added to those of the last one. A curve without reports stays as it is.
 *
 * @errors
 *   - GLNN_E_ARG: the curve is null.
 * @thread any; one at a time for each curve.
 * @since  0.2 */
GLNN_API glnn_status glnn_curve_continue(glnn_curve *curve);

/** The number of reports; 0 for NULL. @since 0.2 */
GLNN_API int glnn_curve_get_count(const glnn_curve *curve);

/** Report `number`, from 0; NULL if there is none.
 *
 * A report from a file has only the numbers of the file. Its other numbers are 0.
 *
 * @owner  the curve, until a report is added or the curve is destroyed.
 * @thread any; one at a time for each curve.
 * @since  0.2 */
GLNN_API const glnn_report *glnn_curve_get_report(const glnn_curve *curve, int number);

/** Writes the @ref curve_csv "CSV file". An existing file is replaced once the new one is complete.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_IO: the file cannot be written.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread any; one at a time for each curve.
 * @since  0.2 */
GLNN_API glnn_status glnn_curve_write_csv(const glnn_curve *curve, const char *path);

/** Reads a curve from a @ref curve_csv "CSV file" that glnn_curve_write_csv() wrote.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the file has other columns, a row with missing or further fields, a field that
 *     is not a number, a last line that does not end, or epochs that do not ascend from 1. The
 *     sentence names the line.
 *   - GLNN_E_LIMIT: the file does not fit into the address space.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner  the caller, who destroys *out. After an error *out is NULL.
 * @thread any.
 * @since  0.2 */
GLNN_API glnn_status glnn_curve_read_csv(const char *path, glnn_curve **out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
