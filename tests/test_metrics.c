/* Metrics of predictions: small cases by hand, random cases against the definitions, and against
 * scikit-learn where it is installed. */
#include <glnn/metrics.h>
#include <glnn/npy.h>

#include "common/random.h"
#include "support/files.h"

#include <math.h>
#include <sys/wait.h>

enum { SAMPLES = 120, CLASSES = 5, TARGETS = 3 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define assert_near(actual, expected) assert_near_at((actual), (expected), #actual, __LINE__)

static void assert_near_at(double actual, double expected, const char *what, int line)
{
    const bool equal = isnan(expected)
                           ? isnan(actual)
                           : fabs(actual - expected) <= 1e-12 * fmax(1.0, fabs(expected));
    if (!equal)
        fail_msg("line %d: %s is %.17g, not %.17g", line, what, actual, expected);
}

static glnn_class_metrics classes_of(const glnn_class_metrics_desc *desc)
{
    glnn_class_metrics of = {.size = sizeof of};
    if (glnn_class_metrics_compute(desc, &of))
        fail_msg("%s", glnn_last_error());
    return of;
}

static glnn_target_metrics targets_of(const glnn_target_metrics_desc *desc)
{
    glnn_target_metrics of = {.size = sizeof of};
    if (glnn_target_metrics_compute(desc, &of))
        fail_msg("%s", glnn_last_error());
    return of;
}

/* ---- By hand */

static void classes_are_counted_as_by_hand(void **state)
{
    static const int labels[] = {0, 0, 0, 1, 1, 2}, predicted[] = {0, 0, 1, 1, 2, 2};
    static const int64_t confusion[] = {2, 1, 0, 0, 1, 1, 0, 0, 1};
    (void)state;
    const glnn_class_metrics_desc descs[] = {
        {.classes = 3, .samples = 6, .labels = labels, .predicted = predicted},
        {.classes = 3, .confusion = confusion}};
    for (size_t i = 0; i < COUNT_OF(descs); ++i) {
        glnn_class_metrics of = classes_of(&descs[i]);
        assert_int_equal(of.classes, 3);
        assert_memory_equal(of.confusion, confusion, sizeof confusion);
        assert_near(of.accuracy, 4.0 / 6);
        assert_near(of.balanced_accuracy, (2.0 / 3 + 0.5 + 1) / 3);
        const double precision[] = {1, 0.5, 0.5}, recall[] = {2.0 / 3, 0.5, 1};
        const double f1[] = {0.8, 0.5, 2.0 / 3}, support[] = {3, 2, 1};
        for (int c = 0; c < 3; ++c) {
            assert_near(of.precision[c], precision[c]);
            assert_near(of.recall[c], recall[c]);
            assert_near(of.f1[c], f1[c]);
            assert_near(of.support[c], support[c]);
            assert_near(of.class_roc_auc[c], NAN);
            assert_near(of.class_average_precision[c], NAN);
        }
        assert_near(of.macro_precision, 2.0 / 3);
        assert_near(of.macro_recall, of.balanced_accuracy);
        assert_near(of.macro_f1, (0.8 + 0.5 + 2.0 / 3) / 3);
        assert_near(of.weighted_precision, (3 + 1 + 0.5) / 6);
        assert_near(of.weighted_recall, 4.0 / 6);
        assert_near(of.weighted_f1, (2.4 + 1 + 2.0 / 3) / 6);
        assert_near(of.log_loss, NAN);
        assert_near(of.roc_auc, NAN);
        assert_near(of.macro_roc_auc, NAN);
        assert_near(of.average_precision, NAN);
        assert_near(of.macro_average_precision, NAN);
        assert_near(of.top_k_accuracy, NAN);
        glnn_class_metrics_free(&of);
        assert_null(of.precision);
        assert_int_equal(of.size, sizeof of);
    }
}

static void probabilities_are_measured_as_by_hand(void **state)
{
    static const int labels[] = {0, 0, 1, 1};
    static const float scores[] = {0.875f, 0.125f, 0.5f, 0.5f, 0.5f, 0.5f, 0.25f, 0.75f};
    (void)state;
    glnn_class_metrics of = classes_of(&(glnn_class_metrics_desc){.classes = 2,
                                                                  .samples = 4,
                                                                  .labels = labels,
                                                                  .scores = scores,
                                                                  .are_probabilities = true,
                                                                  .top_k = 1});
    assert_near(of.accuracy, 0.75);
    assert_near(of.top_k_accuracy, 0.75);
    assert_near(of.log_loss, -(log(0.875) + 2 * log(0.5) + log(0.75)) / 4);
    /* Of the four pairs, three are in order and one is equal. */
    assert_near(of.roc_auc, 3.5 / 4);
    assert_near(of.class_roc_auc[0], 3.5 / 4);
    assert_near(of.macro_roc_auc, 3.5 / 4);
    /* The greatest score of class 1 is right, then two equal ones are right and wrong. */
    assert_near(of.average_precision, (1 + 2.0 / 3) / 2);
    assert_near(of.class_average_precision[0], (1 + 2.0 / 3) / 2);
    assert_near(of.macro_average_precision, (1 + 2.0 / 3) / 2);
    glnn_class_metrics_free(&of);
}

static void probabilities_of_0_and_1_have_a_finite_log_loss(void **state)
{
    static const int labels[] = {0, 0};
    static const float scores[] = {1, 0, 0, 1};
    (void)state;
    glnn_class_metrics of = classes_of(&(glnn_class_metrics_desc){
        .classes = 2, .samples = 2, .labels = labels, .scores = scores, .are_probabilities = true});
    assert_near(of.log_loss, -(log(1 - 0x1p-23) + log(0x1p-23)) / 2);
    assert_near(of.roc_auc, NAN);
    assert_near(of.average_precision, NAN);
    assert_near(of.class_average_precision[0], 1);
    assert_near(of.macro_average_precision, 1);
    glnn_class_metrics_free(&of);
}

static void targets_are_measured_as_by_hand(void **state)
{
    static const float wanted[] = {1, 7, 2, 7, 3, 7, 6, 7}, predicted[] = {1, 7, 3, 6, 3, 7, 4, 7};
    (void)state;
    glnn_target_metrics of = targets_of(&(glnn_target_metrics_desc){
        .samples = 4, .targets = 2, .wanted = wanted, .predicted = predicted});
    assert_near(of.mean_absolute_errors[0], 0.75);
    assert_near(of.root_mean_squared_errors[0], sqrt(1.25));
    assert_near(of.max_errors[0], 2);
    assert_near(of.r_squareds[0], 1 - 5.0 / 14);
    assert_near(of.mean_absolute_errors[1], 0.25);
    assert_near(of.r_squareds[1], NAN);
    assert_near(of.mean_absolute_error, 0.5);
    assert_near(of.root_mean_squared_error, (sqrt(1.25) + 0.5) / 2);
    assert_near(of.r_squared, NAN);
    glnn_target_metrics_free(&of);
    assert_null(of.r_squareds);
}

/* The difference of two large sums would have a spread. */
static void equal_targets_have_no_r_squared_however_large_they_are(void **state)
{
    static const float wanted[] = {16777215, 16777215, 16777215}, predicted[] = {1, 2, 3};
    (void)state;
    glnn_target_metrics of =
        targets_of(&(glnn_target_metrics_desc){.samples = 3,
                                               .targets = 1,
                                               .wanted = wanted,
                                               .predicted = predicted,
                                               .weights = (float[]){0.1f, 0.7f, 0.3f}});
    assert_near(of.r_squared, NAN);
    glnn_target_metrics_free(&of);
}

/* ---- Classes that lack something */

static void classes_that_do_not_occur_are_no_part_of_macro_means(void **state)
{
    static const int labels[] = {0, 0, 2}, predicted[] = {0, 3, 0};
    static const float scores[] = {3, 0, 1, 0, 1, 0, 0, 2, 2, 0, -INFINITY, INFINITY};
    (void)state;
    glnn_class_metrics of = classes_of(&(glnn_class_metrics_desc){
        .classes = 4, .samples = 3, .labels = labels, .predicted = predicted, .scores = scores});
    assert_near(of.balanced_accuracy, (0.5 + 0) / 2);
    assert_near(of.precision[0], 0.5);
    assert_near(of.precision[2], 0);
    assert_near(of.recall[3], 0);
    assert_near(of.f1[1], 0);
    assert_near(of.macro_f1, 0.5 / 3);
    assert_near(of.weighted_f1, 1.0 / 3);
    assert_near(of.class_roc_auc[0], 0.5);
    assert_near(of.class_roc_auc[1], NAN);
    assert_near(of.class_roc_auc[2], 0);
    assert_near(of.macro_roc_auc, 0.25);
    assert_near(of.weighted_roc_auc, 1.0 / 3);
    assert_near(of.class_average_precision[0], (1 + 2.0 / 3) / 2);
    assert_near(of.class_average_precision[1], NAN);
    assert_near(of.class_average_precision[2], 1.0 / 3);
    assert_near(of.macro_average_precision, (2.5 / 3 + 1.0 / 3) / 2);
    assert_near(of.weighted_average_precision, (2 * 2.5 / 3 + 1.0 / 3) / 3);
    glnn_class_metrics_free(&of);
}

static void samples_of_another_class_are_always_wrong(void **state)
{
    static const int labels[] = {0, 1, -1, -1}, predicted[] = {0, 1, 1, 1};
    static const float scores[] = {0.75f, 0.25f, 0.5f, 0.5f, 0.25f, 0.75f, 0.25f, 0.75f};
    (void)state;
    glnn_class_metrics of = classes_of(&(glnn_class_metrics_desc){.classes = 2,
                                                                  .samples = 4,
                                                                  .labels = labels,
                                                                  .predicted = predicted,
                                                                  .scores = scores,
                                                                  .are_probabilities = true,
                                                                  .top_k = 2});
    assert_near(of.accuracy, 0.5);
    assert_near(of.balanced_accuracy, 1);
    assert_near(of.precision[1], 1.0 / 3);
    assert_near(of.recall[1], 1);
    assert_near(of.log_loss, -(log(0.75) + log(0.5)) / 2);
    assert_near(of.roc_auc, 1.0 / 3);
    assert_near(of.average_precision, 1.0 / 3);
    assert_near(of.top_k_accuracy, 0.5);
    const int64_t confusion[] = {1, 0, 0, 1};
    assert_memory_equal(of.confusion, confusion, sizeof confusion);
    glnn_class_metrics_free(&of);
    static const int unknown[] = {-1, -1, -1, -1};
    of = classes_of(&(glnn_class_metrics_desc){
        .classes = 2, .samples = 4, .labels = unknown, .scores = scores});
    assert_near(of.accuracy, 0);
    assert_near(of.balanced_accuracy, NAN);
    assert_near(of.macro_f1, 0);
    assert_near(of.weighted_f1, NAN);
    glnn_class_metrics_free(&of);
}

static void equal_scores_belong_to_the_lower_class(void **state)
{
    static const int labels[] = {0, 1, 2};
    static const float scores[9] = {0};
    (void)state;
    for (int k = 1; k <= 3; ++k) {
        glnn_class_metrics of = classes_of(&(glnn_class_metrics_desc){
            .classes = 3, .samples = 3, .labels = labels, .scores = scores, .top_k = k});
        assert_near(of.accuracy, 1.0 / 3);
        assert_near(of.top_k_accuracy, k / 3.0);
        assert_near(of.macro_roc_auc, 0.5);
        assert_near(of.macro_average_precision, 1.0 / 3);
        glnn_class_metrics_free(&of);
    }
}

/* ---- Against the definitions */

/* Random samples; scores have few values, so that many are equal. */
typedef struct random_samples {
    int labels[SAMPLES], predicted[SAMPLES];
    float scores[SAMPLES * CLASSES], weights[SAMPLES];
    float wanted[SAMPLES * TARGETS], got[SAMPLES * TARGETS];
} random_samples;

static random_samples draw(uint64_t seed, int least_label)
{
    random_samples of;
    for (int i = 0; i < SAMPLES; ++i) {
        float sum = 0;
        of.labels[i] = least_label + random_below(&seed, CLASSES - least_label);
        of.predicted[i] = random_below(&seed, CLASSES);
        of.weights[i] = 0.25f * (float)random_below(&seed, 5);
        for (int c = 0; c < CLASSES; ++c) {
            of.scores[i * CLASSES + c] =
                (float)(1 + random_below(&seed, 6) + 3 * (c == of.labels[i]));
            sum += of.scores[i * CLASSES + c];
        }
        for (int c = 0; c < CLASSES; ++c)
            of.scores[i * CLASSES + c] /= sum;
        for (int t = 0; t < TARGETS; ++t) {
            of.wanted[i * TARGETS + t] = 10 * random_fraction(&seed);
            of.got[i * TARGETS + t] = of.wanted[i * TARGETS + t] + random_fraction(&seed) - 0.5f;
        }
    }
    return of;
}

/* The share of weighted pairs that are in order. */
static double pairs_in_order(const random_samples *of, const float *weights, int class)
{
    double right = 0, all = 0;
    for (int i = 0; i < SAMPLES; ++i)
        for (int j = 0; j < SAMPLES; ++j) {
            if (of->labels[i] != class || of->labels[j] == class)
                continue;
            const double pair = weights ? (double)weights[i] * (double)weights[j] : 1;
            const float a = of->scores[i * CLASSES + class], b = of->scores[j * CLASSES + class];
            right += pair * (a > b ? 1 : a == b ? 0.5 : 0);
            all += pair;
        }
    return right / all;
}

/* Each sample of the class adds the precision among the samples whose scores are not below its. */
static double mean_precision(const random_samples *of, const float *weights, int class)
{
    double sum = 0, all = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        const double weight = weights ? (double)weights[i] : 1;
        double right = 0, found = 0;
        if (of->labels[i] != class || weight == 0)
            continue;
        for (int j = 0; j < SAMPLES; ++j) {
            const double other = weights ? (double)weights[j] : 1;
            if (of->scores[j * CLASSES + class] < of->scores[i * CLASSES + class])
                continue;
            found += other;
            right += of->labels[j] == class ? other : 0;
        }
        sum += weight * right / found;
        all += weight;
    }
    return sum / all;
}

/* The place of the label in the order of the scores, from 0. */
static int place_of_label(const random_samples *of, int sample)
{
    int place = 0, used[CLASSES] = {0};
    for (;; ++place) {
        int best = -1;
        for (int c = 0; c < CLASSES; ++c)
            if (!used[c] && (best < 0 || of->scores[sample * CLASSES + c] >
                                             of->scores[sample * CLASSES + best]))
                best = c;
        if (best == of->labels[sample])
            return place;
        used[best] = 1;
    }
}

static void expect_definitions(const random_samples *of, const float *weights)
{
    double all = 0, right = 0, top = 0, hits[CLASSES] = {0}, truth[CLASSES] = {0},
           found[CLASSES] = {0};
    const int k = 2;
    glnn_class_metrics metrics = classes_of(&(glnn_class_metrics_desc){.classes = CLASSES,
                                                                       .samples = SAMPLES,
                                                                       .labels = of->labels,
                                                                       .predicted = of->predicted,
                                                                       .scores = of->scores,
                                                                       .are_probabilities = true,
                                                                       .weights = weights,
                                                                       .top_k = k});
    for (int i = 0; i < SAMPLES; ++i) {
        const double weight = weights ? (double)weights[i] : 1;
        const int label = of->labels[i], predicted = of->predicted[i];
        all += weight;
        right += label == predicted ? weight : 0;
        found[predicted] += weight;
        if (label < 0)
            continue;
        truth[label] += weight;
        hits[label] += label == predicted ? weight : 0;
        top += place_of_label(of, i) < k ? weight : 0;
    }
    assert_near(metrics.accuracy, right / all);
    assert_near(metrics.top_k_accuracy, top / all);
    double macro = 0, area = 0, precision = 0;
    for (int c = 0; c < CLASSES; ++c) {
        assert_near(metrics.precision[c], hits[c] / found[c]);
        assert_near(metrics.recall[c], hits[c] / truth[c]);
        assert_near(metrics.f1[c], 2 * hits[c] / (found[c] + truth[c]));
        assert_near(metrics.support[c], truth[c]);
        assert_near(metrics.class_roc_auc[c], pairs_in_order(of, weights, c));
        assert_near(metrics.class_average_precision[c], mean_precision(of, weights, c));
        macro += metrics.f1[c] / CLASSES;
        area += metrics.class_roc_auc[c] / CLASSES;
        precision += metrics.class_average_precision[c] / CLASSES;
    }
    assert_near(metrics.macro_f1, macro);
    assert_near(metrics.macro_roc_auc, area);
    assert_near(metrics.macro_average_precision, precision);
    glnn_class_metrics_free(&metrics);
}

static void random_samples_have_the_metrics_of_their_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const random_samples of = draw(seed, seed % 2 == 0 ? -1 : 0);
        expect_definitions(&of, NULL);
        expect_definitions(&of, of.weights);
    }
}

/* Each sample is written as many times as its weight has quarters. */
static void weights_count_samples_more_than_once(void **state)
{
    const random_samples once = draw(7, 0);
    int labels[4 * SAMPLES], predicted[4 * SAMPLES], count = 0;
    float scores[4 * SAMPLES * CLASSES], wanted[4 * SAMPLES * TARGETS], got[4 * SAMPLES * TARGETS];
    (void)state;
    for (int i = 0; i < SAMPLES; ++i)
        for (int n = 0; n < (int)(4 * once.weights[i]); ++n, ++count) {
            labels[count] = once.labels[i];
            predicted[count] = once.predicted[i];
            memcpy(scores + count * CLASSES, once.scores + i * CLASSES, CLASSES * sizeof(float));
            memcpy(wanted + count * TARGETS, once.wanted + i * TARGETS, TARGETS * sizeof(float));
            memcpy(got + count * TARGETS, once.got + i * TARGETS, TARGETS * sizeof(float));
        }
    glnn_class_metrics_desc desc = {.classes = CLASSES,
                                    .samples = SAMPLES,
                                    .labels = once.labels,
                                    .predicted = once.predicted,
                                    .scores = once.scores,
                                    .are_probabilities = true,
                                    .weights = once.weights,
                                    .top_k = 3};
    glnn_class_metrics weighted = classes_of(&desc);
    desc.samples = count;
    desc.labels = labels;
    desc.predicted = predicted;
    desc.scores = scores;
    desc.weights = NULL;
    glnn_class_metrics repeated = classes_of(&desc);
    assert_near(weighted.accuracy, repeated.accuracy);
    assert_near(weighted.balanced_accuracy, repeated.balanced_accuracy);
    assert_near(weighted.weighted_f1, repeated.weighted_f1);
    assert_near(weighted.log_loss, repeated.log_loss);
    assert_near(weighted.weighted_roc_auc, repeated.weighted_roc_auc);
    assert_near(weighted.weighted_average_precision, repeated.weighted_average_precision);
    assert_near(weighted.top_k_accuracy, repeated.top_k_accuracy);
    glnn_class_metrics_free(&weighted);
    glnn_class_metrics_free(&repeated);
    glnn_target_metrics by_weight = targets_of(
        &(glnn_target_metrics_desc){SAMPLES, TARGETS, once.wanted, once.got, once.weights, {0}});
    glnn_target_metrics by_row =
        targets_of(&(glnn_target_metrics_desc){count, TARGETS, wanted, got, NULL, {0}});
    assert_near(by_weight.mean_absolute_error, by_row.mean_absolute_error);
    assert_near(by_weight.root_mean_squared_error, by_row.root_mean_squared_error);
    assert_near(by_weight.r_squared, by_row.r_squared);
    assert_near(by_weight.max_errors[1], by_row.max_errors[1]);
    glnn_target_metrics_free(&by_weight);
    glnn_target_metrics_free(&by_row);
}

/* ---- Against scikit-learn */

static void write_array(const char *name, int columns, const float *numbers)
{
    const file_path path = path_of(name);
    assert_int_equal(glnn_npy_write(path.text, SAMPLES, columns, numbers, 0), GLNN_OK);
}

static void write_integers(const char *name, const int *numbers)
{
    float floats[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        floats[i] = (float)numbers[i];
    write_array(name, 1, floats);
}

static void write_metrics(FILE *file, const glnn_class_metrics *of)
{
    fprintf(file, "accuracy %.17g\nbalanced_accuracy %.17g\nlog_loss %.17g\n", of->accuracy,
            of->balanced_accuracy, of->log_loss);
    fprintf(file, "macro_precision %.17g\nmacro_recall %.17g\nmacro_f1 %.17g\n",
            of->macro_precision, of->macro_recall, of->macro_f1);
    fprintf(file, "weighted_precision %.17g\nweighted_recall %.17g\nweighted_f1 %.17g\n",
            of->weighted_precision, of->weighted_recall, of->weighted_f1);
    fprintf(file, "macro_roc_auc %.17g\nweighted_roc_auc %.17g\ntop_k_accuracy %.17g\n",
            of->macro_roc_auc, of->weighted_roc_auc, of->top_k_accuracy);
    fprintf(file, "macro_average_precision %.17g\nweighted_average_precision %.17g\n",
            of->macro_average_precision, of->weighted_average_precision);
    for (int c = 0; c < CLASSES; ++c)
        fprintf(file,
                "precision[%d] %.17g\nrecall[%d] %.17g\nf1[%d] %.17g\nroc_auc[%d] %.17g\n"
                "average_precision[%d] %.17g\n",
                c, of->precision[c], c, of->recall[c], c, of->f1[c], c, of->class_roc_auc[c], c,
                of->class_average_precision[c]);
}

static void write_errors(FILE *file, const glnn_target_metrics *of)
{
    fprintf(file, "mae %.17g\nr2 %.17g\n", of->mean_absolute_error, of->r_squared);
    for (int t = 0; t < TARGETS; ++t)
        fprintf(file, "mae[%d] %.17g\nrmse[%d] %.17g\nr2[%d] %.17g\nmax_error[%d] %.17g\n", t,
                of->mean_absolute_errors[t], t, of->root_mean_squared_errors[t], t,
                of->r_squareds[t], t, of->max_errors[t]);
}

static void metrics_are_those_of_scikit_learn(void **state)
{
    const random_samples of = draw(3, 0);
    const file_path written = path_of("metrics");
    char command[2048];
    (void)state;
    glnn_class_metrics classes = classes_of(&(glnn_class_metrics_desc){.classes = CLASSES,
                                                                       .samples = SAMPLES,
                                                                       .labels = of.labels,
                                                                       .predicted = of.predicted,
                                                                       .scores = of.scores,
                                                                       .are_probabilities = true,
                                                                       .weights = of.weights,
                                                                       .top_k = 2});
    glnn_target_metrics targets = targets_of(
        &(glnn_target_metrics_desc){SAMPLES, TARGETS, of.wanted, of.got, of.weights, {0}});
    FILE *file = fopen(written.text, "w");
    assert_non_null(file);
    write_metrics(file, &classes);
    write_errors(file, &targets);
    assert_int_equal(fclose(file), 0);
    glnn_class_metrics_free(&classes);
    glnn_target_metrics_free(&targets);
    write_integers("labels.npy", of.labels);
    write_integers("predicted.npy", of.predicted);
    write_array("scores.npy", CLASSES, of.scores);
    write_array("weights.npy", 1, of.weights);
    write_array("wanted.npy", TARGETS, of.wanted);
    write_array("got.npy", TARGETS, of.got);
    snprintf(command, sizeof command, "python3 scripts/check_sklearn.py %s", path_of("").text);
    const int status = system(command);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

/* ---- Errors */

static void wrong_descriptions_of_classes_are_refused(void **state)
{
    static const int labels[] = {0, 1}, bad[] = {0, 2};
    static const float scores[] = {0.5f, 0.5f, 0.25f, 0.75f}, nan[] = {0, 1, 1, NAN};
    static const float odd[] = {0.5f, 0.5f, 0.25f, 0.5f}, above[] = {0, 1, -0.5f, 1.5f};
    static const float negative[] = {1, -1}, zeros[] = {0, 0};
    static const int64_t counts[] = {1, 0, 2, -3}, none[4] = {0};
    static const struct {
        glnn_class_metrics_desc desc;
        glnn_status status;
        const char *part;
    } cases[] = {
        {{.classes = 0, .samples = 2, .labels = labels, .scores = scores},
         GLNN_E_ARG,
         "glnn_class_metrics_compute: `classes` is 0; it must be at least 1"},
        {{.classes = 2, .labels = labels, .scores = scores}, GLNN_E_ARG, "`samples` is 0"},
        {{.classes = 2, .samples = 2, .scores = scores}, GLNN_E_ARG, "`labels` is null"},
        {{.classes = 2, .samples = 2, .labels = labels}, GLNN_E_ARG, "give one of them"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = scores, .top_k = 3},
         GLNN_E_ARG,
         "`top_k` is 3; it must be 1 to the number of classes, 2"},
        {{.classes = 2, .samples = 2, .labels = labels, .predicted = labels, .top_k = 1},
         GLNN_E_ARG,
         "`top_k` is set, but there are no scores"},
        {{.classes = 2,
          .samples = 2,
          .labels = labels,
          .predicted = labels,
          .are_probabilities = true},
         GLNN_E_ARG,
         "`are_probabilities` is set"},
        {{.classes = 2, .samples = 2, .labels = bad, .scores = scores},
         GLNN_E_FORMAT,
         "the label of row 1 is 2; it must be -1 to 1"},
        {{.classes = 2, .samples = 2, .labels = labels, .predicted = bad},
         GLNN_E_FORMAT,
         "the predicted class of row 1 is 2; it must be 0 to 1"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = nan},
         GLNN_E_FORMAT,
         "the score in row 1, column 1 is NaN"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = above, .are_probabilities = true},
         GLNN_E_FORMAT,
         "the probability in row 1, column 0 is -0.5; it must be in [0, 1]"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = odd, .are_probabilities = true},
         GLNN_E_FORMAT,
         "the 2 probabilities of row 1 sum to 0.75"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = scores, .weights = negative},
         GLNN_E_FORMAT,
         "the weight of row 1 is -1"},
        {{.classes = 2, .samples = 2, .labels = labels, .scores = scores, .weights = zeros},
         GLNN_E_FORMAT,
         "all 2 weights are 0"},
        {{.classes = 2, .samples = 2, .confusion = counts}, GLNN_E_ARG, "`samples` must be 0"},
        {{.classes = 2, .confusion = counts}, GLNN_E_FORMAT, "row 1, column 1 is -3"},
        {{.classes = 2, .confusion = none}, GLNN_E_FORMAT, "all counts of `confusion` are 0"},
        {{.classes = 2, .confusion = counts, .reserved = {1}}, GLNN_E_ARG, "reserved[0]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_class_metrics of = {.size = sizeof of, .classes = 9};
        assert_fails(glnn_class_metrics_compute(&cases[i].desc, &of), cases[i].status,
                     cases[i].part);
        assert_int_equal(of.classes, 0);
        assert_null(of.confusion);
    }
    assert_fails(glnn_class_metrics_compute(&cases[0].desc, &(glnn_class_metrics){0}), GLNN_E_ARG,
                 "glnn_class_metrics.size is 0");
}

static void wrong_descriptions_of_targets_are_refused(void **state)
{
    static const float numbers[] = {1, 2, 3, 4}, nan[] = {1, 2, 3, NAN}, zeros[] = {0, 0};
    static const struct {
        glnn_target_metrics_desc desc;
        glnn_status status;
        const char *part;
    } cases[] = {
        {{0, 2, numbers, numbers, NULL, {0}},
         GLNN_E_ARG,
         "glnn_target_metrics_compute: 0 samples of 2 targets"},
        {{2, 0, numbers, numbers, NULL, {0}}, GLNN_E_ARG, "2 samples of 0 targets"},
        {{2, 2, NULL, numbers, NULL, {0}}, GLNN_E_ARG, "`desc->wanted` is null"},
        {{2, 2, numbers, NULL, NULL, {0}}, GLNN_E_ARG, "`desc->predicted` is null"},
        {{2, 2, nan, numbers, NULL, {0}},
         GLNN_E_FORMAT,
         "the wanted number in row 1, target 1 is nan"},
        {{2, 2, numbers, nan, NULL, {0}}, GLNN_E_FORMAT, "the predicted number in row 1, target 1"},
        {{2, 2, numbers, numbers, zeros, {0}}, GLNN_E_FORMAT, "all 2 weights are 0"},
        {{2, 2, numbers, numbers, NULL, {0, 1}}, GLNN_E_ARG, "reserved[1]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_target_metrics of = {.size = sizeof of, .targets = 9};
        assert_fails(glnn_target_metrics_compute(&cases[i].desc, &of), cases[i].status,
                     cases[i].part);
        assert_int_equal(of.targets, 0);
        assert_null(of.r_squareds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_counted_as_by_hand),
        cmocka_unit_test(probabilities_are_measured_as_by_hand),
        cmocka_unit_test(probabilities_of_0_and_1_have_a_finite_log_loss),
        cmocka_unit_test(targets_are_measured_as_by_hand),
        cmocka_unit_test(equal_targets_have_no_r_squared_however_large_they_are),
        cmocka_unit_test(classes_that_do_not_occur_are_no_part_of_macro_means),
        cmocka_unit_test(samples_of_another_class_are_always_wrong),
        cmocka_unit_test(equal_scores_belong_to_the_lower_class),
        cmocka_unit_test(random_samples_have_the_metrics_of_their_definitions),
        cmocka_unit_test(weights_count_samples_more_than_once),
        cmocka_unit_test(metrics_are_those_of_scikit_learn),
        cmocka_unit_test(wrong_descriptions_of_classes_are_refused),
        cmocka_unit_test(wrong_descriptions_of_targets_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
