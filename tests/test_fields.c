/* The fields of descriptions by name, and the headers that describe them. */
#include "support/support.h"

#include <glnn/glnn.h>

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for any description. */
typedef union description {
    size_t whole[2048];
    glnn_network_desc network;
    glnn_train_desc train;
} description;

static glnn_field field_at(glnn_description of, int place)
{
    glnn_field field = {.size = sizeof field};
    expect_ok(glnn_field_at(of, place, &field));
    return field;
}

/* Calls a function with each field of each description. */
static void for_all(void (*check)(glnn_description of, const glnn_field *field))
{
    for (int d = 0; d < GLNN_DESCRIPTION_COUNT; ++d)
        for (int i = 0; i < glnn_field_get_count((glnn_description)d); ++i) {
            const glnn_field field = field_at((glnn_description)d, i);
            check((glnn_description)d, &field);
        }
}

/* The text is read back as it is, and changes no other field. */
static void assert_takes(glnn_description of, const glnn_field *field, const char *text)
{
    static description desc, before;
    char back[64];
    memset(&desc, 0, sizeof desc);
    before = desc;
    expect_ok(glnn_field_set(of, &desc, field->name, text));
    expect_ok(glnn_field_get(of, &desc, field->name, back, sizeof back));
    assert_string_equal(back, text);
    const size_t size = field->type == GLNN_FIELD_UINT64 ? sizeof(uint64_t)
                        : field->type == GLNN_FIELD_BOOL ? sizeof(bool)
                                                         : sizeof(int);
    memcpy((char *)&before + field->offset, (char *)&desc + field->offset, size);
    assert_memory_equal(&desc, &before, sizeof desc);
}

static void assert_refuses(glnn_description of, const glnn_field *field, const char *text)
{
    static description desc, before;
    memset(&desc, 7, sizeof desc);
    before = desc;
    expect_error(glnn_field_set(of, &desc, field->name, text), GLNN_E_ARG, field->range);
    assert_non_null(strstr(glnn_last_error(), field->name));
    assert_memory_equal(&desc, &before, sizeof desc);
}

static void check_end(glnn_description of, const glnn_field *field, double end, double beyond,
                      bool is_open)
{
    char text[64];
    if (!isfinite(end))
        return;
    const bool is_int = field->type == GLNN_FIELD_INT;
    snprintf(text, sizeof text, is_int ? "%.0f" : "%.9g", end);
    if (is_open && !(end == 0 && field->takes_zero))
        assert_refuses(of, field, text);
    else if (is_int)
        assert_takes(of, field, text);
    snprintf(text, sizeof text, is_int ? "%.0f" : "%.9g",
             is_int ? end + beyond : (double)nextafterf((float)end, (float)beyond * INFINITY));
    if (!(field->takes_zero && strcmp(text, "0") == 0))
        assert_refuses(of, field, text);
}

static void check_number(glnn_description of, const glnn_field *field)
{
    check_end(of, field, field->least, -1, field->above);
    check_end(of, field, field->most, 1, field->below);
    assert_refuses(of, field, "nan");
    assert_refuses(of, field, "inf");
    if (field->takes_zero)
        assert_takes(of, field, "0");
    else
        assert_refuses(of, field, "0");
    if (field->type == GLNN_FIELD_INT)
        assert_refuses(of, field, "1.5");
    else
        assert_takes(of, field, field->least > 0.5 ? "1.5" : field->most <= 1 ? "0.25" : "0.75");
}

static void check_choice(glnn_description of, const glnn_field *field)
{
    char unknown[64];
    assert_true(field->choice_count > 1);
    for (int i = 0; i < field->choice_count; ++i) {
        assert_takes(of, field, field->choices[i]);
        assert_non_null(strstr(field->range, field->choices[i]));
    }
    snprintf(unknown, sizeof unknown, "%s_", field->choices[0]);
    assert_refuses(of, field, unknown);
}

static void check_values(glnn_description of, const glnn_field *field)
{
    assert_refuses(of, field, "");
    assert_refuses(of, field, "0x");
    assert_refuses(of, field, "1 ");
    switch (field->type) {
    case GLNN_FIELD_CHOICE:
        check_choice(of, field);
        break;
    case GLNN_FIELD_BOOL:
        assert_takes(of, field, "true");
        assert_takes(of, field, "false");
        assert_refuses(of, field, "1");
        break;
    case GLNN_FIELD_UINT64:
        assert_takes(of, field, "18446744073709551615");
        assert_refuses(of, field, "18446744073709551616");
        assert_refuses(of, field, "-1");
        break;
    default:
        check_number(of, field);
    }
}

static void each_field_takes_its_range_and_no_more(void **state)
{
    (void)state;
    for_all(check_values);
}

static void check_found(glnn_description of, const glnn_field *field)
{
    glnn_field found = {.size = sizeof found};
    expect_ok(glnn_field_find(of, field->name, &found));
    assert_string_equal(found.name, field->name);
    assert_string_equal(found.standard, field->standard);
    assert_int_equal(found.offset, field->offset);
}

static void each_field_is_found_by_its_name(void **state)
{
    (void)state;
    for_all(check_found);
}

static void names_that_are_no_fields_are_refused_with_a_similar_one(void **state)
{
    (void)state;
    glnn_lvq_desc desc = {0};
    glnn_field field = {.size = sizeof field};
    char text[8];
    expect_error(glnn_field_set(GLNN_DESCRIPTION_LVQ, &desc, "kmean_steps", "3"), GLNN_E_ARG,
                 "glnn_field_set: the description lvq has no field \"kmean_steps\"; did you mean "
                 "kmeans_steps?");
    expect_error(glnn_field_get(GLNN_DESCRIPTION_LVQ, &desc, "Xi", text, sizeof text), GLNN_E_ARG,
                 "no field \"Xi\"; did you mean xi?");
    expect_error(glnn_field_find(GLNN_DESCRIPTION_TRAIN, "rate", &field), GLNN_E_ARG,
                 "the description train has no field \"rate\"");
    assert_null(strstr(glnn_last_error(), "did you mean"));
    expect_error(glnn_field_find(GLNN_DESCRIPTION_COUNT, "rate", &field), GLNN_E_ARG,
                 "there is no description 9");
    expect_error(glnn_field_at(GLNN_DESCRIPTION_SVM, 7, &field), GLNN_E_ARG,
                 "there is no field 7; the description svm has 7");
    expect_error(glnn_field_at(GLNN_DESCRIPTION_SVM, -1, &field), GLNN_E_ARG, "no field -1");
    expect_error(glnn_field_at((glnn_description)-1, 0, &field), GLNN_E_ARG, "no description -1");
    assert_int_equal(glnn_field_get_count(GLNN_DESCRIPTION_COUNT), 0);
    assert_int_equal(glnn_field_get_count((glnn_description)-1), 0);
}

static void a_number_that_rounds_to_zero_is_no_default(void **state)
{
    (void)state;
    glnn_svm_desc desc = {.lambda = 2};
    expect_error(glnn_field_set(GLNN_DESCRIPTION_SVM, &desc, "lambda", "1e-60"), GLNN_E_ARG,
                 "lambda is \"1e-60\"; it has to be a finite number above 0, or 0 for");
    assert_true(desc.lambda == 2);
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_SVM, &desc, "lambda", "0.0e5"));
    assert_true(desc.lambda == 0);
}

static void a_text_that_does_not_fit_its_room_is_refused(void **state)
{
    (void)state;
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_GMLVQ, .search = (glnn_search)99};
    char text[8];
    expect_ok(glnn_field_get(GLNN_DESCRIPTION_LVQ, &desc, "kind", text, 6));
    assert_string_equal(text, "gmlvq");
    expect_error(glnn_field_get(GLNN_DESCRIPTION_LVQ, &desc, "kind", text, 5), GLNN_E_ARG,
                 "kind takes 6 bytes, but there is room for 5");
    expect_ok(glnn_field_get(GLNN_DESCRIPTION_LVQ, &desc, "search", text, sizeof text));
    assert_string_equal(text, "unknown");
}

static void sizes_that_no_version_had_are_refused(void **state)
{
    (void)state;
    glnn_field field = {.size = 0};
    expect_error(glnn_field_at(GLNN_DESCRIPTION_SVM, 0, &field), GLNN_E_ARG, "glnn_field.size");
    expect_error(glnn_field_find(GLNN_DESCRIPTION_SVM, "loss", &field), GLNN_E_ARG,
                 "glnn_field.size");
}

static void names_with_dots_reach_structures_inside(void **state)
{
    (void)state;
    glnn_network_desc network = {0};
    glnn_train_desc train = {0};
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_NETWORK, &network, "optimizer.kind", "adam"));
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_NETWORK, &network, "shape.height", "28"));
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_TRAIN, &train, "schedule.rate", "0.5"));
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_TRAIN, &train, "exchange.kind", "averages"));
    expect_ok(glnn_field_set(GLNN_DESCRIPTION_TRAIN, &train, "distortion.shape.width", "3"));
    assert_int_equal(network.optimizer.kind, GLNN_OPTIMIZER_ADAM);
    assert_int_equal(network.shape.height, 28);
    assert_true(train.schedule.rate == 0.5f);
    assert_int_equal(train.exchange.kind, GLNN_EXCHANGE_AVERAGES);
    assert_int_equal(train.distortion.shape.width, 3);
}

/* ---- Learners */

/* The number that a text is; 0: it is words. */
static float number_in(const char *text)
{
    char *end;
    const float number = strtof(text, &end);
    return *end ? 0 : number;
}

static void expect_defaults(glnn_description of, const void *desc)
{
    for (int i = 0; i < glnn_field_get_count(of); ++i) {
        const glnn_field field = field_at(of, i);
        char text[64];
        expect_ok(glnn_field_get(of, desc, field.name, text, sizeof text));
        if (field.takes_zero && number_in(field.standard) != 0 &&
            number_in(text) != number_in(field.standard))
            fail_msg("%s of %s is %s, not %s", field.name, glnn_description_name(of), text,
                     field.standard);
    }
}

static void learners_have_the_defaults_of_the_tables(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_learner *network, *lvq, *kmeans, *gmm, *svm;
    const glnn_network_desc of_network = {.features = 3, .layers = {{.units = 2}}};
    const glnn_lvq_desc of_lvq = {.features = 3, .classes = 2};
    const glnn_kmeans_desc of_kmeans = {.features = 3, .centres = 2};
    const glnn_gmm_desc of_gmm = {.features = 3, .components = 2};
    const glnn_svm_desc of_svm = {.features = 3, .classes = 2};
    expect_ok(glnn_network_create(ctx, &of_network, &network));
    expect_ok(glnn_lvq_create(ctx, &of_lvq, &lvq));
    expect_ok(glnn_kmeans_create(ctx, &of_kmeans, &kmeans));
    expect_ok(glnn_gmm_create(ctx, &of_gmm, &gmm));
    expect_ok(glnn_svm_create(ctx, &of_svm, &svm));
    expect_defaults(GLNN_DESCRIPTION_NETWORK, glnn_network_get_desc(network));
    expect_defaults(GLNN_DESCRIPTION_LVQ, glnn_lvq_get_desc(lvq));
    expect_defaults(GLNN_DESCRIPTION_KMEANS, glnn_kmeans_get_desc(kmeans));
    expect_defaults(GLNN_DESCRIPTION_GMM, glnn_gmm_get_desc(gmm));
    expect_defaults(GLNN_DESCRIPTION_SVM, glnn_svm_get_desc(svm));
    glnn_learner_destroy(network);
    glnn_learner_destroy(lvq);
    glnn_learner_destroy(kmeans);
    glnn_learner_destroy(gmm);
    glnn_learner_destroy(svm);
}

/* ---- The headers */

/* The structure of each description, and of those inside of it by the beginning of the name. */
static const struct {
    glnn_description of;
    const char *prefix, *header, *structure;
} homes[] = {
    {GLNN_DESCRIPTION_NETWORK, "optimizer.", "optimizer", "glnn_optimizer"},
    {GLNN_DESCRIPTION_NETWORK, "", "network", "glnn_network_desc"},
    {GLNN_DESCRIPTION_LAYER, "", "layer", "glnn_layer_desc"},
    {GLNN_DESCRIPTION_OUTPUT, "", "network", "glnn_output_desc"},
    {GLNN_DESCRIPTION_OPTIMIZER, "", "optimizer", "glnn_optimizer"},
    {GLNN_DESCRIPTION_LVQ, "", "lvq", "glnn_lvq_desc"},
    {GLNN_DESCRIPTION_KMEANS, "", "kmeans", "glnn_kmeans_desc"},
    {GLNN_DESCRIPTION_GMM, "", "gmm", "glnn_gmm_desc"},
    {GLNN_DESCRIPTION_SVM, "", "svm", "glnn_svm_desc"},
    {GLNN_DESCRIPTION_TRAIN, "batch_schedule.", "train", "glnn_batch_schedule"},
    {GLNN_DESCRIPTION_TRAIN, "schedule.", "train", "glnn_schedule"},
    {GLNN_DESCRIPTION_TRAIN, "distortion.", "distortion", "glnn_distortion"},
    {GLNN_DESCRIPTION_TRAIN, "exchange.", "exchange", "glnn_exchange_desc"},
    {GLNN_DESCRIPTION_TRAIN, "", "train", "glnn_train_desc"},
};

static const char *read_header(const char *name)
{
    static char text[65536];
    char path[128];
    snprintf(path, sizeof path, "include/glnn/%s.h", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Whether the declaration from `at` to `end` is that of a member, whose name ends at a dot or a
 * bracket. */
static bool declares(const char *at, const char *end, const char *member)
{
    const size_t length = strcspn(member, ".[");
    const char *bracket = memchr(at, '[', (size_t)(end - at));
    const char *name = (bracket ? bracket : end - 1) - length;
    return name > at && !isalnum((unsigned char)name[-1]) && name[-1] != '_' &&
           strncmp(name, member, length) == 0;
}

/* Copies the comments before and behind a member of a structure. */
static void find_comment(const char *header, const char *structure, const char *member,
                         char out[4096])
{
    char mark[64];
    snprintf(mark, sizeof mark, "typedef struct %s {", structure);
    const char *at = strstr(header, mark);
    assert_non_null(at);
    at += strlen(mark);
    bool is_own = false, is_before = false;
    for (at += strspn(at, " \n"); *at != '}'; at += strspn(at, " \n")) {
        const bool is_comment = *at == '/', is_behind = is_comment && at[3] == '<';
        const char *end = is_comment ? strstr(at, "*/") + 2 : strchr(at, ';') + 1;
        if (!is_behind && is_own)
            return;
        if (!is_behind && !is_before)
            *out = '\0';
        is_before = is_comment && !is_behind;
        if (is_comment)
            strncat(out, at, (size_t)(end - at));
        else
            is_own = declares(at, end, member);
        at = end;
    }
    if (!is_own)
        fail_msg("%s has no member %s", structure, member);
}

/* The next number of a text, which no letter comes before; NULL after the last. */
static const char *next_number(const char *text, float *out)
{
    for (char before = ' '; *text; before = *text++)
        if (isdigit((unsigned char)*text) && !isalnum((unsigned char)before) && before != '.') {
            char *end;
            *out = strtof(text, &end);
            *out = before == '-' ? -*out : *out;
            return end;
        }
    return NULL;
}

/* Whether a comment has a number, or a name for it. */
static bool has_number(const char *comment, float number)
{
    static const struct {
        float number;
        const char *name;
    } names[] = {
        {FLT_MIN, "FLT_MIN"},
        {FLT_MAX / 2, "FLT_MAX / 2"},
        {GLNN_NETWORK_MAX_LAYERS, "GLNN_NETWORK_MAX_LAYERS"},
        {GLNN_FULL_BATCH, "GLNN_FULL_BATCH"},
        {GLNN_NETWORK_MAX_OUTPUTS, "GLNN_NETWORK_MAX_OUTPUTS"},
        {GLNN_NETWORK_MAX_LAYERS - 1, "GLNN_NETWORK_MAX_LAYERS - 1"},
    };
    float found = 0;
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        if (names[i].number == number && strstr(comment, names[i].name))
            return true;
    for (const char *at = comment; (at = next_number(at, &found)) != NULL;)
        if (found == number)
            return true;
    return false;
}

/* A comment has the default: "0: NAME" of a choice, otherwise all its numbers. It also has the ends
 * of the range but 0, and but 1 where 0 is the default of a number of things. */
static bool agrees(const glnn_field *field, const char *comment)
{
    char named[96] = "0: ";
    float number = 0;
    for (size_t i = 0; field->standard[i]; ++i)
        named[3 + i] = (char)toupper((unsigned char)field->standard[i]);
    if (field->type == GLNN_FIELD_CHOICE)
        return strchr(field->standard, ' ') || strstr(comment, named);
    for (const char *at = field->standard; (at = next_number(at, &number)) != NULL;)
        if (number != 0 && !has_number(comment, number))
            return false;
    const bool is_count = field->type == GLNN_FIELD_INT && field->takes_zero && field->least == 1;
    return (field->least == 0 || isinf(field->least) || is_count ||
            has_number(comment, (float)field->least)) &&
           (field->most == 0 || isinf(field->most) || has_number(comment, (float)field->most));
}

static void check_header(glnn_description of, const glnn_field *field)
{
    size_t home = 0;
    while (homes[home].of != of ||
           strncmp(field->name, homes[home].prefix, strlen(homes[home].prefix)) != 0)
        ++home;
    char comment[4096];
    find_comment(read_header(homes[home].header), homes[home].structure,
                 field->name + strlen(homes[home].prefix), comment);
    if (!agrees(field, comment))
        fail_msg("%s.%s is %s, 0: %s; the comment in glnn/%s.h is %s", homes[home].structure,
                 field->name, field->range, field->standard, homes[home].header, comment);
}

static void headers_state_the_defaults_and_ranges_of_the_tables(void **state)
{
    (void)state;
    for_all(check_header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_takes_its_range_and_no_more),
        cmocka_unit_test(each_field_is_found_by_its_name),
        cmocka_unit_test(names_that_are_no_fields_are_refused_with_a_similar_one),
        cmocka_unit_test(a_number_that_rounds_to_zero_is_no_default),
        cmocka_unit_test(a_text_that_does_not_fit_its_room_is_refused),
        cmocka_unit_test(sizes_that_no_version_had_are_refused),
        cmocka_unit_test(names_with_dots_reach_structures_inside),
        cmocka_unit_test(learners_have_the_defaults_of_the_tables),
        cmocka_unit_test(headers_state_the_defaults_and_ranges_of_the_tables),
    };
    return cmocka_run_group_tests_name("fields", tests, test_group_setup, test_group_teardown);
}
