#include "learn/train/curve.h"

#include "base/digits.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/growing_text.h"
#include "io/table/number.h"
#include "io/table/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

glnn_status glnn_curve_create(glnn_curve **out)
{
    GLNN__NOT_NULL(out);
    *out = calloc(1, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "glnn_curve_create: no memory for a learning curve");
    (*out)->owners = 1;
    return GLNN_OK;
}

glnn_curve *glnn__curve_share(glnn_curve *curve)
{
    ++curve->owners;
    return curve;
}

void glnn_curve_destroy(glnn_curve *curve)
{
    if (!curve || --curve->owners > 0)
        return;
    free(curve->reports);
    free(curve);
}

/* Removes the reports of the same epoch and of later ones, and then adds a report without a change
 * of its numbers. */
static glnn_status append(glnn_curve *curve, const glnn_report *report)
{
    size_t kept = curve->count;
    while (kept > 0 && curve->reports[kept - 1].epoch >= report->epoch)
        --kept;
    if (kept == curve->capacity &&
        !glnn__memory_grow(&curve->reports, kept, &curve->capacity, sizeof *curve->reports))
        return glnn__fail(GLNN_E_NOMEM, "no memory for the learning curve of %zu epochs", kept + 1);
    curve->reports[kept] = *report;
    curve->count = kept + 1;
    return GLNN_OK;
}

glnn_status glnn_curve_add(glnn_curve *curve, const glnn_report *report)
{
    GLNN__NOT_NULL(curve);
    GLNN__NOT_NULL(report);
    if (report->epoch < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_curve_add: the report is of epoch %d; the first is 1",
                          report->epoch);
    if (report->epoch > INT_MAX - curve->start.epoch)
        return glnn__fail(GLNN_E_LIMIT,
                          "glnn_curve_add: epoch %d after %d epochs of former trainings; a curve "
                          "counts to %d",
                          report->epoch, curve->start.epoch, INT_MAX);
    glnn_report moved = *report;
    moved.epoch += curve->start.epoch;
    moved.step += curve->start.step;
    moved.seconds += curve->start.seconds;
    return glnn__fail_in(__func__, append(curve, &moved));
}

glnn_status glnn_curve_continue(glnn_curve *curve)
{
    GLNN__NOT_NULL(curve);
    if (curve->count > 0)
        curve->start = curve->reports[curve->count - 1];
    return GLNN_OK;
}

int glnn_curve_get_count(const glnn_curve *curve)
{
    return curve ? (int)curve->count : 0;
}

const glnn_report *glnn_curve_get_report(const glnn_curve *curve, int number)
{
    const bool exists = curve && number >= 0 && (size_t)number < curve->count;
    return exists ? &curve->reports[number] : NULL;
}

/* ---- Checkpoints */

void glnn__metrics_state(glnn__state *state, glnn_metrics *metrics, const char *of,
                         const char *name)
{
    glnn__state_double(state, &metrics->loss, "%s.%s.loss", of, name);
    glnn__state_double(state, &metrics->accuracy, "%s.%s.accuracy", of, name);
    glnn__state_double(state, &metrics->squared_error, "%s.%s.squared_error", of, name);
    glnn__state_double(state, &metrics->r_squared, "%s.%s.r_squared", of, name);
}

void glnn__report_state(glnn__state *state, glnn_report *report, const char *name)
{
    double rate = (double)report->rate;
    glnn__state_int(state, &report->epoch, "%s.epoch", name);
    glnn__state_int(state, &report->batch, "%s.batch", name);
    glnn__state_count(state, &report->step, "%s.step", name);
    glnn__metrics_state(state, &report->training, name, "training");
    glnn__metrics_state(state, &report->validation, name, "validation");
    glnn__state_bool(state, &report->has_validation, "%s.has_validation", name);
    glnn__state_bool(state, &report->best, "%s.best", name);
    glnn__state_double(state, &rate, "%s.rate", name);
    glnn__state_double(state, &report->samples_per_second, "%s.samples_per_second", name);
    glnn__state_double(state, &report->seconds, "%s.seconds", name);
    report->rate = (float)rate;
}

/* A report of the curve's, as the training sent it. */
static glnn_report sent(const glnn_curve *curve, size_t number)
{
    glnn_report report = curve->reports[number];
    report.epoch -= curve->start.epoch;
    report.step -= curve->start.step;
    report.seconds -= curve->start.seconds;
    return report;
}

void glnn__curve_state(glnn__state *state, glnn_curve *curve, const glnn_report *like)
{
    size_t first = 0, end = curve ? curve->count : 0;
    while (first < end && curve->reports[first].epoch <= curve->start.epoch)
        ++first;
    uint64_t count = end - first;
    glnn__state_count(state, &count, "curve.count");
    if (curve && state->saved)
        curve->count = first;
    for (uint64_t i = 0; i < count && !state->status; ++i) {
        glnn_report report = glnn__state_loads(state) ? *like : sent(curve, first + (size_t)i);
        char name[32];
        snprintf(name, sizeof name, "curve.%llu", (unsigned long long)i);
        glnn__report_state(state, &report, name);
        report.event = GLNN_EVENT_EPOCH;
        if (curve && glnn__state_loads(state))
            state->status = glnn_curve_add(curve, &report);
    }
}

/* ---- Writing CSV files */

/* The columns, and the number of each in a row of doubles. */
enum { EPOCH, STEP, RATE, TRAINING, VALIDATION = TRAINING + 4, SECONDS = VALIDATION + 4, SPEED };
enum { COLUMNS = SPEED + 1 };

static const char header[] =
    "epoch,step,rate,"
    "training_loss,training_accuracy,training_squared_error,training_r_squared,"
    "validation_loss,validation_accuracy,validation_squared_error,validation_r_squared,"
    "seconds,samples_per_second\n";

static void take_metrics(const glnn_metrics *metrics, bool is_measured, double *row)
{
    const double numbers[] = {metrics->loss, metrics->accuracy, metrics->squared_error,
                              metrics->r_squared};
    for (int i = 0; i < 4; ++i)
        row[i] = is_measured ? numbers[i] : NAN;
}

static void take_report(const glnn_report *report, double row[COLUMNS])
{
    row[EPOCH] = report->epoch;
    row[STEP] = (double)report->step;
    row[RATE] = (double)report->rate;
    take_metrics(&report->training, true, row + TRAINING);
    take_metrics(&report->validation, report->has_validation, row + VALIDATION);
    row[SECONDS] = report->seconds;
    row[SPEED] = report->samples_per_second;
}

static void print_number(glnn__growing_text *to, double value, bool is_float)
{
    char text[GLNN__DIGITS_TEXT];
    if (isfinite(value))
        glnn__text_print(to, "%s",
                         is_float ? glnn__digits_of_float((float)value, text)
                                  : glnn__digits_of_double(value, text));
}

static glnn_status print_curve(const glnn_curve *curve, const char *path, glnn__growing_text *to)
{
    glnn__text_print(to, "%s", header);
    for (size_t i = 0; i < curve->count; ++i) {
        double row[COLUMNS];
        take_report(&curve->reports[i], row);
        for (int c = 0; c < COLUMNS; ++c) {
            print_number(to, row[c], c == RATE);
            glnn__text_print(to, "%c", c + 1 < COLUMNS ? ',' : '\n');
        }
    }
    return to->is_cut ? glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text", path) : GLNN_OK;
}

glnn_status glnn_curve_write_csv(const glnn_curve *curve, const char *path)
{
    GLNN__NOT_NULL(curve);
    GLNN__NOT_NULL(path);
    glnn__c_locale locale;
    glnn__growing_text text = {0};
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = print_curve(curve, path, &text);
    glnn__c_locale_leave(&locale);
    if (!status)
        status = glnn__file_replace(path, &(glnn__span){text.text, text.size}, 1);
    free(text.text);
    return glnn__fail_in(__func__, status);
}

/* ---- Reading CSV files */

/* A file that is being read. */
typedef struct reading {
    const char *path;
    char *next;
    int line; /* from 1 */
} reading;

/* Ends the line with a zero byte, and moves to the next one. A line that does not end is part of a
 * file that was cut off. */
static glnn_status take_line(reading *from, char **line)
{
    char *end = from->next + strcspn(from->next, "\r\n");
    *line = from->next;
    from->next = end;
    from->line++;
    if (*end == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file is cut off in line %d", from->path,
                          from->line);
    if (*end == '\r' && end[1] == '\n')
        ++from->next;
    ++from->next;
    *end = 0;
    return GLNN_OK;
}

/* Reads a field of a decimal number; an empty one is NAN. */
static bool read_number(const char *field, double *value)
{
    *value = NAN;
    return *field == 0 || glnn__number_parse_double(field, value) == GLNN__NUMBER_FINITE;
}

static glnn_status read_row(reading *from, double row[COLUMNS])
{
    char *field;
    GLNN__TRY(take_line(from, &field));
    for (int c = 0; c < COLUMNS; ++c) {
        char *end = field + strcspn(field, ",");
        const bool is_last = *end == 0;
        if (is_last != (c + 1 == COLUMNS))
            return glnn__fail(GLNN_E_FORMAT, "%s: line %d has %s than %d fields", from->path,
                              from->line, is_last ? "fewer" : "more", COLUMNS);
        *end = 0;
        if (!read_number(field, &row[c]))
            return glnn__fail(GLNN_E_FORMAT, "%s: line %d: '%.40s' in field %d is not a number",
                              from->path, from->line, field, c + 1);
        field = end + !is_last;
    }
    return GLNN_OK;
}

static glnn_metrics metrics_of(const double *row)
{
    return (glnn_metrics){
        .loss = row[0], .accuracy = row[1], .squared_error = row[2], .r_squared = row[3]};
}

static glnn_report report_of(const double row[COLUMNS])
{
    const bool is_validated = isfinite(row[VALIDATION]) || isfinite(row[VALIDATION + 1]);
    const glnn_metrics none = {.squared_error = NAN, .r_squared = NAN};
    return (glnn_report){
        .event = GLNN_EVENT_EPOCH,
        .epoch = (int)row[EPOCH],
        .step = (uint64_t)row[STEP],
        .rate = (float)row[RATE],
        .training = metrics_of(row + TRAINING),
        .validation = is_validated ? metrics_of(row + VALIDATION) : none,
        .has_validation = is_validated,
        .seconds = row[SECONDS],
        .samples_per_second = row[SPEED],
    };
}

/* Whether a number is whole and in a range; NAN is not. */
static bool is_whole(double value, double least, double most)
{
    return value >= least && value <= most && floor(value) == value;
}

static glnn_status add_row(reading *from, glnn_curve *curve)
{
    static const double most_steps = 9007199254740992; /* 2^53 */
    double row[COLUMNS];
    GLNN__TRY(read_row(from, row));
    const int last = curve->count > 0 ? curve->reports[curve->count - 1].epoch : 0;
    if (!is_whole(row[EPOCH], last + 1.0, INT_MAX))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %d is of epoch %.17g; a whole number above %d is expected",
                          from->path, from->line, row[EPOCH], last);
    if (!is_whole(row[STEP], 0, most_steps))
        return glnn__fail(GLNN_E_FORMAT, "%s: line %d is of step %.17g; a whole number is expected",
                          from->path, from->line, row[STEP]);
    const glnn_report report = report_of(row);
    return append(curve, &report);
}

static glnn_status read_text(reading *from, glnn_curve *curve)
{
    char *line;
    GLNN__TRY(take_line(from, &line));
    if (strncmp(line, header, sizeof header - 2) != 0 || line[sizeof header - 2] != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the first line is not that of a learning curve",
                          from->path);
    while (*from->next)
        GLNN__TRY(add_row(from, curve));
    return GLNN_OK;
}

static glnn_status read_file(const char *path, glnn_curve *curve)
{
    char *text;
    reading from = {.path = path};
    glnn__c_locale locale;
    GLNN__TRY(glnn__text_read(path, &text, &from.next));
    glnn_status status = glnn__c_locale_enter(&locale);
    if (!status) {
        status = read_text(&from, curve);
        glnn__c_locale_leave(&locale);
    }
    free(text);
    return status;
}

glnn_status glnn_curve_read_csv(const char *path, glnn_curve **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__NOT_NULL(path);
    glnn_curve *curve;
    GLNN__TRY(glnn_curve_create(&curve));
    const glnn_status status = read_file(path, curve);
    if (status)
        glnn_curve_destroy(curve);
    else
        *out = curve;
    return glnn__fail_in(__func__, status);
}
