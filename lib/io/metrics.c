#include <glnn/metrics.h>

#include "base/sized.h"
#include "base/status.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double weight_of(const float *weights, int64_t sample)
{
    return weights ? (double)weights[sample] : 1.0;
}

/* Checks the weights and gives their sum. */
static glnn_status sum_weights(int64_t samples, const float *weights, double *sum)
{
    *sum = 0.0;
    for (int64_t i = 0; i < samples; ++i) {
        const double weight = weight_of(weights, i);
        if (!isfinite(weight) || weight < 0)
            return glnn__fail(GLNN_E_FORMAT,
                              "the weight of row %" PRId64 " is %g; it must be finite and not "
                              "negative",
                              i, weight);
        *sum += weight;
    }
    if (*sum == 0.0)
        return glnn__fail(GLNN_E_FORMAT, "all %" PRId64 " weights are 0", samples);
    return GLNN_OK;
}

/* ---- Classes */

static glnn_status check_classes(const glnn_class_metrics_desc *of)
{
    if (of->classes < 1)
        return glnn__fail(GLNN_E_ARG, "`classes` is %d; it must be at least 1", of->classes);
    if (of->confusion) {
        if (of->samples != 0 || of->labels || of->predicted || of->scores || of->weights)
            return glnn__fail(GLNN_E_ARG,
                              "`confusion` is given, so `samples` must be 0, and `labels`, "
                              "`predicted`, `scores` and `weights` null");
    } else {
        if (of->samples < 1)
            return glnn__fail(GLNN_E_ARG, "`samples` is %" PRId64 "; it must be at least 1",
                              of->samples);
        if (!of->labels)
            return glnn__fail(GLNN_E_ARG, "`labels` is null, and so is `confusion`");
        if (!of->predicted && !of->scores)
            return glnn__fail(GLNN_E_ARG, "`predicted` and `scores` are null; give one of them");
    }
    if (of->top_k < 0 || of->top_k > of->classes)
        return glnn__fail(GLNN_E_ARG,
                          "`top_k` is %d; it must be 1 to the number of classes, %d, or 0 for none",
                          of->top_k, of->classes);
    if (!of->scores && (of->top_k > 0 || of->are_probabilities))
        return glnn__fail(GLNN_E_ARG, "`%s` is set, but there are no scores",
                          of->top_k > 0 ? "top_k" : "are_probabilities");
    return GLNN__RESERVED_CHECK(glnn_class_metrics_desc, of);
}

static glnn_status check_class(const char *what, int64_t row, int class, int least, int classes)
{
    return class >= least && class < classes
               ? GLNN_OK
               : glnn__fail(GLNN_E_FORMAT, "the %s of row %" PRId64 " is %d; it must be %d to %d",
                            what, row, class, least, classes - 1);
}

static glnn_status check_scores(const glnn_class_metrics_desc *of, int64_t row)
{
    static const double tolerance = 0.001;
    const float *scores = of->scores + (size_t)row * (size_t)of->classes;
    double sum = 0.0;
    for (int j = 0; j < of->classes; ++j) {
        const double score = (double)scores[j];
        if (isnan(score))
            return glnn__fail(GLNN_E_FORMAT, "the score in row %" PRId64 ", column %d is NaN", row,
                              j);
        if (of->are_probabilities && !(fabs(score - 0.5) <= 0.5 + tolerance))
            return glnn__fail(GLNN_E_FORMAT,
                              "the probability in row %" PRId64 ", column %d is %g; it must be in "
                              "[0, 1]",
                              row, j, score);
        sum += score;
    }
    if (of->are_probabilities && fabs(sum - 1.0) > tolerance)
        return glnn__fail(GLNN_E_FORMAT,
                          "the %d probabilities of row %" PRId64 " sum to %g; they must sum to 1",
                          of->classes, row, sum);
    return GLNN_OK;
}

static glnn_status check_rows(const glnn_class_metrics_desc *of)
{
    for (int64_t i = 0; i < of->samples; ++i) {
        GLNN__TRY(check_class("label", i, of->labels[i], -1, of->classes));
        if (of->predicted)
            GLNN__TRY(check_class("predicted class", i, of->predicted[i], 0, of->classes));
        if (of->scores)
            GLNN__TRY(check_scores(of, i));
    }
    return GLNN_OK;
}

static int predicted_class(const glnn_class_metrics_desc *of, int64_t row)
{
    if (of->predicted)
        return of->predicted[row];
    const float *scores = of->scores + (size_t)row * (size_t)of->classes;
    int best = 0;
    for (int j = 1; j < of->classes; ++j)
        if (scores[j] > scores[best])
            best = j;
    return best;
}

/* Weights of samples. In `out`, `recall` has the true positives of each class and `support` the
 * samples, until the metrics take their places. */
typedef struct class_sums {
    double *predicted; /* the samples that are predicted to be of a class    */
    double all, right; /* samples of all labels; those with the right class  */
} class_sums;

static glnn_status add_rows(const glnn_class_metrics_desc *of, class_sums *sums,
                            glnn_class_metrics *out)
{
    GLNN__TRY(check_rows(of));
    GLNN__TRY(sum_weights(of->samples, of->weights, &sums->all));
    for (int64_t i = 0; i < of->samples; ++i) {
        const int label = of->labels[i], predicted = predicted_class(of, i);
        const double weight = weight_of(of->weights, i);
        sums->predicted[predicted] += weight;
        if (label < 0)
            continue;
        out->support[label] += weight;
        out->recall[label] += label == predicted ? weight : 0.0;
        ++out->confusion[(size_t)label * (size_t)of->classes + (size_t)predicted];
    }
    return GLNN_OK;
}

static glnn_status add_confusion(const glnn_class_metrics_desc *of, class_sums *sums,
                                 glnn_class_metrics *out)
{
    const size_t classes = (size_t)of->classes;
    for (size_t i = 0; i < classes * classes; ++i) {
        const size_t label = i / classes, predicted = i % classes;
        const double count = (double)of->confusion[i];
        if (of->confusion[i] < 0)
            return glnn__fail(GLNN_E_FORMAT,
                              "the count in row %zu, column %zu is %" PRId64
                              "; it must not be negative",
                              label, predicted, of->confusion[i]);
        sums->all += count;
        sums->predicted[predicted] += count;
        out->support[label] += count;
        out->recall[label] += label == predicted ? count : 0.0;
        out->confusion[i] = of->confusion[i];
    }
    return sums->all > 0.0 ? GLNN_OK : glnn__fail(GLNN_E_FORMAT, "all counts of `confusion` are 0");
}

/* A mean of which some elements may be left out. */
typedef struct mean {
    double sum, weight;
} mean;

static void add(mean *of, double value, double weight)
{
    of->sum += value * weight;
    of->weight += weight;
}

static double value_of(const mean *of)
{
    return of->weight > 0.0 ? of->sum / of->weight : NAN;
}

static double ratio(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

/* The macro mean and the weighted mean of a metric of classes. */
typedef struct class_means {
    mean macro, weighted;
} class_means;

static void add_class(class_means *of, double value, bool occurs, double support)
{
    add(&of->macro, value, occurs ? 1.0 : 0.0);
    add(&of->weighted, value, support);
}

static void rate_classes(class_sums *sums, glnn_class_metrics *out)
{
    class_means precision = {0}, recall = {0}, f1 = {0};
    mean balanced = {0};
    for (int c = 0; c < out->classes; ++c) {
        const double hits = out->recall[c], of_class = out->support[c];
        const double found = sums->predicted[c];
        const bool occurs = of_class > 0.0 || found > 0.0;
        sums->right += hits;
        out->precision[c] = ratio(hits, found);
        out->recall[c] = ratio(hits, of_class);
        out->f1[c] = ratio(2.0 * hits, of_class + found);
        add_class(&precision, out->precision[c], occurs, of_class);
        add_class(&recall, out->recall[c], occurs, of_class);
        add_class(&f1, out->f1[c], occurs, of_class);
        add(&balanced, out->recall[c], of_class > 0.0 ? 1.0 : 0.0);
    }
    out->accuracy = sums->right / sums->all;
    out->balanced_accuracy = value_of(&balanced);
    out->macro_precision = value_of(&precision.macro);
    out->macro_recall = value_of(&recall.macro);
    out->macro_f1 = value_of(&f1.macro);
    out->weighted_precision = value_of(&precision.weighted);
    out->weighted_recall = value_of(&recall.weighted);
    out->weighted_f1 = value_of(&f1.weighted);
}

/* The classes whose score is above that of the label, or equal with a lower number. */
static int classes_before(const float *scores, int classes, int label)
{
    int before = 0;
    for (int j = 0; j < classes; ++j)
        before += scores[j] > scores[label] || (scores[j] == scores[label] && j < label);
    return before;
}

static void rate_scores(const glnn_class_metrics_desc *of, glnn_class_metrics *out)
{
    mean loss = {0}, hits = {0};
    for (int64_t i = 0; i < of->samples; ++i) {
        const float *scores = of->scores + (size_t)i * (size_t)of->classes;
        const int label = of->labels[i];
        const double weight = weight_of(of->weights, i);
        const bool hit =
            label >= 0 && of->top_k > 0 && classes_before(scores, of->classes, label) < of->top_k;
        add(&hits, hit ? 1.0 : 0.0, weight);
        if (label < 0 || !of->are_probabilities)
            continue;
        const double least = (double)FLT_EPSILON, p = (double)scores[label];
        add(&loss, -log(fmin(fmax(p, least), 1.0 - least)), weight);
    }
    out->log_loss = value_of(&loss);
    if (of->top_k > 0)
        out->top_k_accuracy = value_of(&hits);
}

/* The score of a sample, for one class against the rest. */
typedef struct ranked {
    float score;
    bool of_class;
    double weight;
} ranked;

static int compare_scores(const void *left, const void *right)
{
    const float a = ((const ranked *)left)->score, b = ((const ranked *)right)->score;
    return (a > b) - (a < b);
}

/* The area under the ROC curve of samples in the order of their scores. Each group of equal scores
 * has half of its pairs above, whatever the order in it. */
static double area(const ranked *sorted, int64_t samples)
{
    double of_class = 0.0, rest = 0.0, above = 0.0;
    for (int64_t i = 0; i < samples;) {
        const float score = sorted[i].score;
        double equal_class = 0.0, equal_rest = 0.0;
        for (; i < samples && sorted[i].score == score; ++i)
            *(sorted[i].of_class ? &equal_class : &equal_rest) += sorted[i].weight;
        above += equal_class * (rest + equal_rest / 2.0);
        of_class += equal_class;
        rest += equal_rest;
    }
    return of_class > 0.0 && rest > 0.0 ? above / (of_class * rest) : NAN;
}

/* The average precision of samples in the order of their scores, which are taken from the greatest
 * down. A group of equal scores is predicted together. */
static double average_precision(const ranked *sorted, int64_t samples)
{
    double right = 0.0, found = 0.0, sum = 0.0;
    for (int64_t i = samples - 1; i >= 0;) {
        const float score = sorted[i].score;
        double of_class = 0.0;
        for (; i >= 0 && sorted[i].score == score; --i) {
            of_class += sorted[i].of_class ? sorted[i].weight : 0.0;
            found += sorted[i].weight;
        }
        right += of_class;
        sum += of_class * ratio(right, found);
    }
    return right > 0.0 ? sum / right : NAN;
}

static void add_defined(class_means *of, double value, double support)
{
    if (!isnan(value))
        add_class(of, value, true, support);
}

static void rate_curves(const glnn_class_metrics_desc *of, ranked *room, glnn_class_metrics *out)
{
    class_means areas = {0}, precisions = {0};
    for (int c = 0; c < of->classes; ++c) {
        for (int64_t i = 0; i < of->samples; ++i)
            room[i] = (ranked){of->scores[(size_t)i * (size_t)of->classes + (size_t)c],
                               of->labels[i] == c, weight_of(of->weights, i)};
        qsort(room, (size_t)of->samples, sizeof *room, compare_scores);
        out->class_roc_auc[c] = area(room, of->samples);
        out->class_average_precision[c] = average_precision(room, of->samples);
        add_defined(&areas, out->class_roc_auc[c], out->support[c]);
        add_defined(&precisions, out->class_average_precision[c], out->support[c]);
    }
    out->macro_roc_auc = value_of(&areas.macro);
    out->weighted_roc_auc = value_of(&areas.weighted);
    out->macro_average_precision = value_of(&precisions.macro);
    out->weighted_average_precision = value_of(&precisions.weighted);
    if (of->classes == 2) {
        out->roc_auc = out->class_roc_auc[1];
        out->average_precision = out->class_average_precision[1];
    }
}

/* Arrays of zeros; those that need scores are NAN. */
static bool allocate_classes(glnn_class_metrics *out)
{
    const size_t classes = (size_t)out->classes;
    out->precision = calloc(classes, sizeof(double));
    out->recall = calloc(classes, sizeof(double));
    out->f1 = calloc(classes, sizeof(double));
    out->support = calloc(classes, sizeof(double));
    out->class_roc_auc = malloc(classes * sizeof(double));
    out->class_average_precision = malloc(classes * sizeof(double));
    out->confusion = classes <= SIZE_MAX / sizeof(int64_t) / classes
                         ? calloc(classes * classes, sizeof(int64_t))
                         : NULL;
    if (!out->precision || !out->recall || !out->f1 || !out->support || !out->class_roc_auc ||
        !out->class_average_precision || !out->confusion)
        return false;
    for (size_t c = 0; c < classes; ++c)
        out->class_roc_auc[c] = out->class_average_precision[c] = NAN;
    return true;
}

static glnn_status compute_classes(const glnn_class_metrics_desc *of, glnn_class_metrics *out)
{
    class_sums sums = {.predicted = calloc((size_t)of->classes, sizeof(double))};
    ranked *room = of->scores && (uint64_t)of->samples <= SIZE_MAX / sizeof *room
                       ? malloc((size_t)of->samples * sizeof *room)
                       : NULL;
    glnn_status status = GLNN_OK;
    if (!allocate_classes(out) || !sums.predicted || (of->scores && !room))
        status = glnn__fail(GLNN_E_NOMEM,
                            "no memory for the metrics of %" PRId64 " samples of %d classes",
                            of->samples, of->classes);
    if (!status)
        status = of->confusion ? add_confusion(of, &sums, out) : add_rows(of, &sums, out);
    if (!status)
        rate_classes(&sums, out);
    if (!status && of->scores) {
        rate_scores(of, out);
        rate_curves(of, room, out);
    }
    free(sums.predicted);
    free(room);
    return status;
}

glnn_status glnn_class_metrics_compute(const glnn_class_metrics_desc *desc, glnn_class_metrics *out)
{
    GLNN__NOT_NULL(desc);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_class_metrics, confusion, out));
    glnn_class_metrics found = {.size = sizeof found};
    glnn__sized_fill(out, &found, sizeof found);
    found.log_loss = found.roc_auc = found.macro_roc_auc = found.weighted_roc_auc = NAN;
    found.average_precision = found.macro_average_precision = NAN;
    found.weighted_average_precision = found.top_k_accuracy = NAN;
    found.classes = desc->classes;
    glnn_status status = check_classes(desc);
    if (!status)
        status = compute_classes(desc, &found);
    if (status)
        glnn_class_metrics_free(&found);
    else
        glnn__sized_fill(out, &found, sizeof found);
    return glnn__fail_in(__func__, status);
}

void glnn_class_metrics_free(glnn_class_metrics *metrics)
{
    if (!metrics)
        return;
    free(metrics->precision);
    free(metrics->recall);
    free(metrics->f1);
    free(metrics->support);
    free(metrics->class_roc_auc);
    free(metrics->class_average_precision);
    free(metrics->confusion);
    glnn__sized_fill(metrics, &(glnn_class_metrics){0}, sizeof *metrics);
}

/* ---- Targets */

static glnn_status check_targets(const glnn_target_metrics_desc *of)
{
    if (of->samples < 1 || of->targets < 1)
        return glnn__fail(GLNN_E_ARG, "%" PRId64 " samples of %d targets; both must be at least 1",
                          of->samples, of->targets);
    return GLNN__RESERVED_CHECK(glnn_target_metrics_desc, of);
}

/* One target of all samples. */
typedef struct target {
    const glnn_target_metrics_desc *of;
    int number;
    double weights; /* the sum of the weights of all samples */
} target;

static double number_of(const target *of, const float *numbers, int64_t row)
{
    return (double)numbers[(size_t)row * (size_t)of->of->targets + (size_t)of->number];
}

static glnn_status check_numbers(const target *of)
{
    const float *const arrays[] = {of->of->wanted, of->of->predicted};
    for (int64_t i = 0; i < of->of->samples; ++i)
        for (int j = 0; j < 2; ++j) {
            const double number = number_of(of, arrays[j], i);
            if (!isfinite(number))
                return glnn__fail(GLNN_E_FORMAT,
                                  "the %s number in row %" PRId64 ", target %d is %g; it must be "
                                  "finite",
                                  j == 0 ? "wanted" : "predicted", i, of->number, number);
        }
    return GLNN_OK;
}

/* The weighted mean of the wanted numbers; exact if they are equal, because it is one of them plus
 * the mean difference from that. */
static double mean_wanted(const target *of)
{
    const double first = number_of(of, of->of->wanted, 0);
    double sum = 0.0;
    for (int64_t i = 0; i < of->of->samples; ++i)
        sum += weight_of(of->of->weights, i) * (number_of(of, of->of->wanted, i) - first);
    return first + sum / of->weights;
}

static void rate_target(const target *of, glnn_target_metrics *out)
{
    const double middle = mean_wanted(of);
    double absolute = 0.0, squares = 0.0, deviations = 0.0, greatest = 0.0;
    for (int64_t i = 0; i < of->of->samples; ++i) {
        const double weight = weight_of(of->of->weights, i),
                     wanted = number_of(of, of->of->wanted, i);
        const double error = fabs(number_of(of, of->of->predicted, i) - wanted);
        absolute += weight * error;
        squares += weight * error * error;
        deviations += weight * (wanted - middle) * (wanted - middle);
        greatest = weight > 0.0 ? fmax(greatest, error) : greatest;
    }
    out->mean_absolute_errors[of->number] = absolute / of->weights;
    out->root_mean_squared_errors[of->number] = sqrt(squares / of->weights);
    out->max_errors[of->number] = greatest;
    out->r_squareds[of->number] = deviations > 0.0 ? 1.0 - squares / deviations : NAN;
}

static double mean_of(const double *numbers, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += numbers[i];
    return sum / count;
}

static bool allocate_targets(glnn_target_metrics *out)
{
    const size_t bytes = (size_t)out->targets * sizeof(double);
    out->mean_absolute_errors = malloc(bytes);
    out->root_mean_squared_errors = malloc(bytes);
    out->max_errors = malloc(bytes);
    out->r_squareds = malloc(bytes);
    return out->mean_absolute_errors && out->root_mean_squared_errors && out->max_errors &&
           out->r_squareds;
}

static glnn_status compute_targets(const glnn_target_metrics_desc *desc, glnn_target_metrics *out)
{
    target of = {.of = desc};
    GLNN__TRY(check_targets(desc));
    if (!allocate_targets(out))
        return glnn__fail(GLNN_E_NOMEM, "no memory for the metrics of %d targets", desc->targets);
    GLNN__TRY(sum_weights(desc->samples, desc->weights, &of.weights));
    for (; of.number < desc->targets; ++of.number) {
        GLNN__TRY(check_numbers(&of));
        rate_target(&of, out);
    }
    out->mean_absolute_error = mean_of(out->mean_absolute_errors, out->targets);
    out->root_mean_squared_error = mean_of(out->root_mean_squared_errors, out->targets);
    out->r_squared = mean_of(out->r_squareds, out->targets);
    return GLNN_OK;
}

glnn_status glnn_target_metrics_compute(const glnn_target_metrics_desc *desc,
                                        glnn_target_metrics *out)
{
    GLNN__NOT_NULL(desc);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_target_metrics, r_squareds, out));
    glnn_target_metrics found = {.size = sizeof found};
    glnn__sized_fill(out, &found, sizeof found);
    GLNN__NOT_NULL(desc->wanted);
    GLNN__NOT_NULL(desc->predicted);
    found.targets = desc->targets;
    const glnn_status status = compute_targets(desc, &found);
    if (status)
        glnn_target_metrics_free(&found);
    else
        glnn__sized_fill(out, &found, sizeof found);
    return glnn__fail_in(__func__, status);
}

void glnn_target_metrics_free(glnn_target_metrics *metrics)
{
    if (!metrics)
        return;
    free(metrics->mean_absolute_errors);
    free(metrics->root_mean_squared_errors);
    free(metrics->max_errors);
    free(metrics->r_squareds);
    glnn__sized_fill(metrics, &(glnn_target_metrics){0}, sizeof *metrics);
}
