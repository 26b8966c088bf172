/* Adopted textures of a host as operands and outputs of operations: every format, target and
 * arrangement, levels and layers, mutable and immutable. */
#include "support/host_textures.h"
#include "support/problems.h"

#include <stdio.h>

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/network.h>

static int make_host(void **state)
{
    (void)state;
    adopt();
    context_use(guest);
    return 0;
}

static int end_host(void **state)
{
    release_all();
    host_textures_end();
    leave_host();
    return leave_nothing_current(state);
}

#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_host, end_host)

static const GLenum formats[] = {GL_RGBA32F, GL_RGBA16F, GL_RGBA8, GL_R32F, GL_R8};

enum { KINDS = COUNT_OF(formats) * 2 * 2 * 3 };

/* A step that leads to every format, target, arrangement and level. */
enum { SOME = 7 };

/* All formats, with both targets and arrangements: mutable, immutable, and a level and layer. */
static host_kind kind_of(int number)
{
    const int how = number % 3;
    host_kind as = {.format = formats[number / 12],
                    .target = number / 3 % 2 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                    .pixels = number / 6 % 2 ? GLNN_PIXELS_AS_ROWS : GLNN_PIXELS_AS_COLUMNS,
                    .is_mutable = how == 0 || (how == 2 && number / 12 % 2),
                    .level = how == 2 ? 1 + number / 12 % 2 : 0};
    if (as.target == GL_TEXTURE_2D_ARRAY)
        as.layer = number % 3;
    if (as.pixels == GLNN_PIXELS_AS_ROWS && channels_of(as.format) == 4)
        as.channels = number % 5;
    return as;
}

static const char *words_of(const host_kind *k)
{
    static char words[128];
    snprintf(words, sizeof words, "format 0x%04x, target 0x%04x, %s, %d channels, %d.%d%s",
             k->format, k->target, glnn_pixels_name(k->pixels), k->channels, k->level, k->layer,
             k->is_mutable ? ", mutable" : "");
    return words;
}

static int rows_of(const host_kind *k)
{
    return k->pixels == GLNN_PIXELS_AS_ROWS ? 8 * 7 : 7;
}

static int columns_of(const host_kind *k)
{
    return k->pixels == GLNN_PIXELS_AS_ROWS ? (k->channels ? k->channels : channels_of(k->format))
                                            : 5 * channels_of(k->format);
}

/* Numbers that all formats hold, up to the rounding of 16 bits. */
static array numbers_of(const host_kind *k, int first)
{
    array values = array_new(rows_of(k), columns_of(k));
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = (float)(((int)i * 11 + first) % 256) / 255.0f;
    return array_stored(values, storage_of(k->format));
}

/* Drivers convert 8 bits with an error of a few units of the last place. */
static void expect_near(array got, array want, const host_kind *k, const char *what)
{
    const double bound = storage_of(k->format) == GLNN_STORAGE_UNORM8 ? 4 * EPS : 0;
    assert_int_equal(got.rows, want.rows);
    assert_int_equal(got.columns, want.columns);
    for (size_t i = 0; i < length_of(want); ++i)
        if (!(fabs(got.data[i] - want.data[i]) <= bound))
            fail_msg("%s: element %zu is %.9g, not %.9g: %s", what, i, got.data[i], want.data[i],
                     words_of(k));
}

static glnn_matrix *copy_of(const glnn_matrix *matrix, glnn_layout layout)
{
    glnn_matrix *copy =
        matrix_zero(glnn_matrix_get_rows(matrix), glnn_matrix_get_columns(matrix), layout);
    expect_ok(glnn_copy(guest, matrix, copy));
    return copy;
}

static void end_case(void)
{
    release_all();
    host_textures_end();
    context_use(guest);
}

static void every_kind_of_texture_is_an_operand(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS / 3; ++i) {
        const host_kind as = kind_of(3 * i + i % 3);
        const array values = numbers_of(&as, i);
        const host_texture texture = texture_holding(&as, values);
        const glnn_matrix *matrix = adopted(&texture);
        assert_int_equal(glnn_matrix_get_storage(matrix), storage_of(as.format));
        expect_near(values_of(matrix), values, &as, "downloaded");
        expect_near(values_of(copy_of(matrix, rendered_layout(i / 4))), values, &as, "copied");
        expect_rest_unchanged(&texture, false);
        end_case();
    }
}

static void every_kind_of_texture_is_an_output(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS / 3; ++i) {
        const host_kind as = kind_of(3 * i + (i + 1) % 3);
        const array values = numbers_of(&as, i), others = numbers_of(&as, i + 128);
        const host_texture texture = texture_holding(&as, others);
        glnn_matrix *matrix = adopted(&texture);
        expect_ok(glnn_copy(guest, matrix_of(values, rendered_layout(i / 4)), matrix));
        expect_near(read_by_host(&texture), values, &as, "written by a pass");
        expect_rest_unchanged(&texture, true);
        expect_ok(glnn_matrix_upload(guest, matrix, NULL, floats_of(others), 0));
        expect_near(read_by_host(&texture), others, &as, "uploaded");
        expect_rest_unchanged(&texture, true);
        end_case();
    }
}

/* The former content is read, and in place the texture is operand and output. */
static void textures_are_added_to_and_mapped_in_place(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i += SOME) {
        const host_kind as = kind_of(i);
        const array values = numbers_of(&as, i);
        array want = array_copy(values);
        const host_texture texture = texture_holding(&as, values);
        glnn_matrix *matrix = adopted(&texture);
        const double half = as.format == GL_RGBA16F ? 0x1p-11 : 0;
        const double bound = storage_of(as.format) == GLNN_STORAGE_UNORM8 ? 1.0 / 255 : 2 * half;
        expect_ok(glnn_axpby(guest, 0.25f, copy_of(matrix, rendered_layout(i)), 0.5f, matrix));
        expect_ok(glnn_map_apply_expression(guest, "1.0 - x", matrix, matrix));
        for (size_t k = 0; k < length_of(want); ++k)
            want.data[k] = 1 - 0.75 * want.data[k];
        const array got = read_by_host(&texture);
        for (size_t k = 0; k < length_of(want); ++k)
            if (!(fabs(got.data[k] - want.data[k]) <= bound + 4 * EPS))
                fail_msg("element %zu is %.9g, not %.9g: %s", k, got.data[k], want.data[k],
                         words_of(&as));
        expect_rest_unchanged(&texture, true);
        end_case();
    }
}

static void rectangles_are_copied_into_and_out_of_textures(void **state)
{
    (void)state;
    for (int i = 3; i < KINDS; i += SOME) {
        const host_kind as = kind_of(i);
        const array values = numbers_of(&as, i), others = numbers_of(&as, i + 77);
        array want = array_copy(values);
        const host_texture texture = texture_holding(&as, values);
        glnn_matrix *matrix = adopted(&texture);
        const glnn_rect rect = {1, values.columns / 2, values.rows - 2, 1};
        expect_ok(glnn_copy_rect(guest, matrix_of(others, rendered_layout(i)), &rect, matrix, 2,
                                 values.columns - 1));
        expect_ok(glnn_matrix_upload(guest, matrix, &(glnn_rect){0, 0, 2, 1}, floats_of(others),
                                     values.columns));
        for (int row = 0; row < rect.rows; ++row)
            *at(want, 2 + row, values.columns - 1) = *at(others, 1 + row, rect.column);
        for (int row = 0; row < 2; ++row)
            *at(want, row, 0) = *at(others, row, 0);
        expect_near(read_by_host(&texture), want, &as, "after copies of rectangles");
        const array read = array_new(rect.rows, 1);
        float *floats = floats_new(length_of(read));
        expect_ok(glnn_matrix_download(guest, matrix, &rect, floats, 0));
        for (int row = 0; row < rect.rows; ++row)
            *at(read, row, 0) = *at(want, 1 + row, rect.column);
        expect_near(array_of_floats(rect.rows, 1, floats), read, &as, "downloaded in part");
        end_case();
    }
}

/* An operation of the table whose first or second operand, or output, is a texture; false if none
 * of that kind fits. */
static bool check_hosted(const glnn__operation *op, const host_kind *as, int number)
{
    const glnn__sizes of = {8, 12, 16};
    glnn__problem p = problem_new(op, of);
    setting s = setting_of(rendered_layout(number));
    s.hosted_as = as;
    const glnn__elements *values = number == GLNN__MOST_OPERANDS ? &p.former : &p.operand[number];
    const bool fits = values->data && can_hold(as, values->rows, values->columns);
    if (fits) {
        s.hosted = 1u << number;
        *(number == GLNN__MOST_OPERANDS ? &s.out_in
          : number == 1                 ? &s.second_in
                                        : &s.operands_in) = storage_of(as->format);
        check_problem(&p, &s);
    }
    glnn__problem_free(&p);
    end_case();
    return fits;
}

static void operations_agree_with_the_reference_on_textures(void **state)
{
    (void)state;
    static const int numbers[] = {0, 1, GLNN__MOST_OPERANDS};
    int checked[COUNT_OF(numbers)] = {0}, next = 0;
    for (int i = 0; i < glnn__operation_count; ++i) {
        bool is_checked = false;
        for (int tries = 0; tries < KINDS && !is_checked; ++tries) {
            const host_kind as = kind_of(SOME * next++ % KINDS);
            is_checked = check_hosted(&glnn__operations[i], &as, numbers[i % 3]);
        }
        checked[i % 3] += is_checked;
    }
    for (size_t i = 0; i < COUNT_OF(numbers); ++i)
        assert_true(checked[i] >= glnn__operation_count / 8);
}

/* Sliced products add up in the output, or next to it if it has too few bits. */
static void long_products_of_textures_agree_with_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i += 6) {
        host_kind as = kind_of(i);
        as.pixels = GLNN_PIXELS_AS_COLUMNS;
        as.channels = 0;
        array a = array_random(12, 300, 0, 0.07), b = array_random(300, 8, 0, 0.07);
        array want = array_new(12, 8);
        for (int row = 0; row < 12; ++row)
            for (int column = 0; column < 8; ++column)
                for (int k = 0; k < 300; ++k)
                    *at(want, row, column) += *at(a, row, k) * *at(b, k, column);
        const host_texture texture = host_texture_new(&as, 8 / channels_of(as.format), 12);
        glnn_matrix *out = adopted(&texture);
        for (glnn_accumulate how = 0; how < GLNN_ACCUMULATE_COUNT; ++how) {
            expect_ok(glnn_gemm(guest, &(glnn_gemm_desc){.slice = 64, .accumulate = how}, 1,
                                matrix_of(a, rendered_layout(i)), matrix_of(b, rendered_layout(i)),
                                0, out));
            const array got = read_by_host(&texture);
            for (size_t k = 0; k < length_of(want); ++k) {
                double value = want.data[k];
                const double bound = glnn__stored_bound(storage_of(as.format), &value, 600 * EPS);
                if (!(fabs(got.data[k] - value) <= bound))
                    fail_msg("element %zu is %.9g, not %.9g: %s", k, got.data[k], value,
                             words_of(&as));
            }
        }
        end_case();
    }
}

/* Images of one texture can meet in a call. */
static void layers_and_levels_of_one_texture_are_different_matrices(void **state)
{
    (void)state;
    const host_kind as = {.format = GL_RGBA32F, .target = GL_TEXTURE_2D_ARRAY, .level = 1};
    const array values = array_numbered(6, 16);
    const host_texture first = texture_holding(&as, values);
    host_texture second = first;
    second.kind.layer = 2;
    const glnn_matrix *from = adopted(&first);
    glnn_matrix *to = adopted(&second);
    expect_ok(glnn_copy(guest, from, to));
    expect_same_bits(read_by_host(&second), values, "copied from layer to layer");
    expect_ok(glnn_axpby(guest, 1, from, 2, to));
    expect_same_bits(read_by_host(&first), values, "the operand");
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] *= 3;
    expect_same_bits(read_by_host(&second), values, "added from layer to layer");
    const array numbers = read_by_host(&first);
    const glnn_rect rect = {1, 4, 2, 8};
    expect_ok(glnn_copy_rect(guest, from, &rect, to, 3, 8));
    for (int row = 0; row < rect.rows; ++row)
        for (int column = 0; column < rect.columns; ++column)
            *at(values, 3 + row, 8 + column) = *at(numbers, 1 + row, 4 + column);
    expect_same_bits(read_by_host(&second), values, "a rectangle from layer to layer");
}

/* Texels are samples: two channels of one texture become three of another one. */
static void networks_read_and_write_textures(void **state)
{
    (void)state;
    const host_kind in = {.format = GL_RGBA32F,
                          .target = GL_TEXTURE_2D_ARRAY,
                          .pixels = GLNN_PIXELS_AS_ROWS,
                          .channels = 2,
                          .layer = 1};
    const host_kind out = {.format = GL_RGBA8,
                           .target = GL_TEXTURE_2D,
                           .pixels = GLNN_PIXELS_AS_ROWS,
                           .channels = 3,
                           .is_mutable = true};
    enum { SAMPLES = 16 * 5, CAPACITY = 32 };
    const array places = array_random(SAMPLES, 2, 0, 1);
    float *colours = floats_new(SAMPLES * 3);
    const host_texture from = texture_holding(&in, places);
    const host_texture to = texture_holding(&out, array_new(SAMPLES, 3));
    glnn_learner *network = NULL;
    const glnn_network_desc desc = {
        .features = 2,
        .layers = {{.units = 9}, {.units = 3, .activation = GLNN_ACTIVATION_SIGMOID}},
        .loss = GLNN_LOSS_SQUARED,
        .capacity = CAPACITY};
    expect_ok(glnn_network_create(guest, &desc, &network));
    expect_ok(glnn_learner_predict(network, SAMPLES, floats_of(places), colours, NULL));
    expect_ok(glnn_learner_predict_matrix(network, adopted(&from), adopted(&to)));
    const array got = read_by_host(&to);
    for (size_t i = 0; i < length_of(got); ++i)
        assert_true(fabs(got.data[i] - (double)colours[i]) <= 0.5 / 255 + 8 * EPS);
    expect_rest_unchanged(&to, true);
    glnn_learner_destroy(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(every_kind_of_texture_is_an_operand),
        HOST_TEST(every_kind_of_texture_is_an_output),
        HOST_TEST(textures_are_added_to_and_mapped_in_place),
        HOST_TEST(rectangles_are_copied_into_and_out_of_textures),
        HOST_TEST(operations_agree_with_the_reference_on_textures),
        HOST_TEST(long_products_of_textures_agree_with_the_reference),
        HOST_TEST(layers_and_levels_of_one_texture_are_different_matrices),
        HOST_TEST(networks_read_and_write_textures),
    };
    return cmocka_run_group_tests_name("adopted textures", tests, keep_driver_loaded, NULL);
}
