/* Null pointers in every public function that takes one, but for those of learners: status or
 * result, and the sentence. scripts/check_symbols.sh checks that no function is missing. */
#include "base/sized.h"
#include "support/nulls.h"

static void contexts(world *w)
{
    glnn_context *ctx = w->ctx, *created;
    glnn_device device = {.size = sizeof device};
    int number;
    double quotient, *ratio = &quotient;
    const char *sentence = "a sentence";
    NEEDS(glnn_last_error_set, (GLNN_E_IO, sentence), sentence);
    glnn_log_write(GLNN_LOG_INFO, NULL);
    {
        glnn_context **out = &created;
        NEEDS(glnn_context_create, (NULL, out), out);
    }
    {
        glnn_context_info info = {.size = sizeof info}, *out = &info;
        NEEDS(glnn_context_get_info, (ctx, out), ctx, out);
    }
    {
        glnn_counters counters = {.size = sizeof counters}, *out = &counters;
        NEEDS(glnn_context_get_counters, (ctx, out), ctx, out);
    }
    {
        glnn_device *devices = &device;
        int *count = &number;
        NEEDS(glnn_device_list, (devices, 1, count), devices, count);
    }
    NEEDS(glnn_context_release, (ctx), ctx);
    NEEDS(glnn_context_begin, (ctx), ctx);
    NEEDS(glnn_context_end, (ctx), ctx);
    NEEDS(glnn_context_finish, (ctx), ctx);
    NEEDS(glnn_context_compare_stages, (ctx, ratio), ctx, ratio);
    NEEDS(glnn_context_measure, (ctx), ctx);
    NEEDS(glnn_context_warm_up, (ctx, 0, NULL), ctx);
    NEEDS(glnn_context_set_tuning, (ctx, GLNN_TUNING_OFF), ctx);
    NEEDS(glnn_selftest, (ctx, NULL, NULL, NULL), ctx);
    glnn_context_reset_counters(NULL);
    glnn_context_destroy(NULL);
}

static void advice(world *w)
{
    glnn_context *ctx = w->ctx;
    const glnn_advice_desc task = {.rows = 1, .columns = 1, .inner = 1}, *desc = &task;
    const glnn_matrix *a = w->a, *b = w->b, *c = w->c;
    char line[256], *text = line;
    {
        glnn_profile profile = {.size = sizeof profile}, *out = &profile;
        NEEDS(glnn_context_get_profile, (ctx, out), ctx, out);
    }
    {
        glnn_advice found = {.size = sizeof found}, *out = &found;
        NEEDS(glnn_context_get_advice, (ctx, desc, out), ctx, desc, out);
    }
    NEEDS(glnn_gemm_get_plan, (ctx, NULL, 1, a, b, 0, c, text, sizeof line), ctx, a, b, c, text);
}

/* The size at the start of a structure is checked where the library fills the structure. */
static void sizes(world *w)
{
    const glnn_advice_desc task = {.rows = 1, .columns = 1, .inner = 1};
    int count;
    expect_error(glnn_context_get_info(w->ctx, &(glnn_context_info){0}), GLNN_E_ARG,
                 "glnn_context_get_info: glnn_context_info.size is 0");
    expect_error(glnn_context_get_counters(w->ctx, &(glnn_counters){0}), GLNN_E_ARG,
                 "glnn_context_get_counters: glnn_counters.size is 0");
    expect_error(glnn_context_get_profile(w->ctx, &(glnn_profile){.size = sizeof(size_t)}),
                 GLNN_E_ARG, "glnn_context_get_profile: glnn_profile.size is 8");
    expect_error(glnn_context_get_advice(w->ctx, &task, &(glnn_advice){0}), GLNN_E_ARG,
                 "glnn_context_get_advice: glnn_advice.size is 0");
    expect_error(glnn_selftest(w->ctx, NULL, NULL, &(glnn_selftest_report){0}), GLNN_E_ARG,
                 "glnn_selftest: glnn_selftest_report.size is 0");
    expect_error(glnn_matrix_get_texture(w->a, &(glnn_texture_info){0}), GLNN_E_ARG,
                 "glnn_matrix_get_texture: glnn_texture_info.size is 0");
    expect_error(glnn_device_list(&(glnn_device){0}, 1, &count), GLNN_E_ARG,
                 "glnn_device_list: glnn_device.size is 0");
}

/* A program that was compiled with a header of fewer members finds the rest of its memory as it
 * was. */
static void shorter_structures(world *w)
{
    enum { KEPT = offsetof(glnn_counters, waits) };
    const glnn_counters filled = {.size = sizeof filled, .passes = 5, .waits = 6};
    glnn_counters counters = {.size = KEPT, .waits = 77};
    glnn__sized_fill(&counters, &filled, sizeof filled);
    assert_int_equal(counters.size, KEPT);
    assert_int_equal(counters.passes, 5);
    assert_int_equal(counters.waits, 77);
    const size_t others[] = {9, KEPT, sizeof counters - 1, sizeof counters + 1, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(others); ++i) {
        counters.size = others[i];
        expect_error(glnn_context_get_counters(w->ctx, &counters), GLNN_E_ARG,
                     "set it to sizeof(glnn_counters) before the call, which is ");
        assert_int_equal(counters.waits, 77);
    }
}

static void matrices(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *matrix = w->a, *made;
    glnn_download *download;
    const glnn_matrix_desc described = {.rows = 1, .columns = 1}, *desc = &described;
    float *data = w->floats;
    {
        glnn_matrix **out = &made;
        NEEDS(glnn_matrix_create, (ctx, desc, out), ctx, desc, out);
    }
    {
        glnn_download **out = &download;
        NEEDS(glnn_download_begin, (ctx, matrix, NULL, out), ctx, matrix, out);
    }
    NEEDS(glnn_matrix_upload, (ctx, matrix, NULL, data, 0), ctx, matrix, data);
    NEEDS(glnn_matrix_download, (ctx, matrix, NULL, data, 0), ctx, matrix, data);
    assert_false(glnn_download_is_ready(NULL));
    expect_ok(glnn_download_end(NULL, data, 0));
    assert_int_equal(glnn_matrix_get_rows(NULL), 0);
    assert_int_equal(glnn_matrix_get_columns(NULL), 0);
    assert_int_equal(glnn_matrix_get_layout(NULL), GLNN_LAYOUT_AUTO);
    assert_int_equal(glnn_matrix_get_storage(NULL), GLNN_STORAGE_FLOAT32);
    assert_string_equal(glnn_matrix_get_name(NULL), "");
    glnn_matrix_destroy(NULL);
}

static void textures(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *matrix = w->a, *made;
    const glnn_texture_desc described = {.texture = 1}, *desc = &described;
    {
        glnn_matrix **out = &made;
        NEEDS(glnn_matrix_adopt, (ctx, desc, out), ctx, desc, out);
    }
    {
        glnn_texture_info info = {.size = sizeof info}, *out = &info;
        NEEDS(glnn_matrix_get_texture, (matrix, out), matrix, out);
    }
}

static void kernels(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_kernel *kernel = w->kernel, *made;
    glnn_list *list = w->list, *begun;
    const glnn_kernel_desc described = {.source = "float element(int row, int column)"};
    const glnn_kernel_desc *desc = &described;
    {
        glnn_matrix *out = w->c;
        NEEDS(glnn_kernel_run, (kernel, NULL, out), kernel, out);
    }
    NEEDS(glnn_list_end, (list), list);
    NEEDS(glnn_list_run, (list), list);
    {
        glnn_kernel **out = &made;
        NEEDS(glnn_kernel_create, (ctx, desc, out), ctx, desc, out);
    }
    {
        glnn_list **out = &begun;
        NEEDS(glnn_list_begin, (ctx, out), ctx, out);
    }
    glnn_kernel_destroy(NULL);
    glnn_list_destroy(NULL);
}

static void operations(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_matrix *a = w->a, *b = w->b, *c = w->c, *x = w->a, *y = w->b, *out = w->c;
    glnn_matrix *index = w->column;
    const char *expression = "x";
    NEEDS(glnn_copy, (ctx, x, out), ctx, x, out);
    NEEDS(glnn_copy_rect, (ctx, x, NULL, out, 0, 0), ctx, x, out);
    NEEDS(glnn_transpose, (ctx, x, out), ctx, x, out);
    NEEDS(glnn_gather_rows, (ctx, x, index, 0, 4, out), ctx, x, index, out);
    NEEDS(glnn_scatter_add_rows, (ctx, 1, x, index, 0, out), ctx, x, index, out);
    NEEDS(glnn_gemm, (ctx, NULL, 1, a, b, 0, c), ctx, a, b, c);
    NEEDS(glnn_map_apply, (ctx, GLNN_MAP_TANH, x, out), ctx, x, out);
    NEEDS(glnn_map_apply_derivative, (ctx, GLNN_MAP_TANH, y, NULL, out), ctx, y, out);
    NEEDS(glnn_map_apply_expression, (ctx, expression, x, out), ctx, expression, x, out);
    NEEDS(glnn_binary_apply, (ctx, GLNN_BINARY_ADD, x, y, out), ctx, x, y, out);
    NEEDS(glnn_axpby, (ctx, 1, x, 1, y), ctx, x, y);
    NEEDS(glnn_axpy, (ctx, 1, x, y), ctx, x, y);
    NEEDS(glnn_softmax, (ctx, x, out), ctx, x, out);
    NEEDS(glnn_fill, (ctx, 0, out), ctx, out);
    NEEDS(glnn_fill_uniform, (ctx, 1, 0, 1, out), ctx, out);
    NEEDS(glnn_fill_normal, (ctx, 1, 0, 1, out), ctx, out);
    NEEDS(glnn_reduce, (ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_ALL, x, out), ctx, x, out);
    const glnn_shape shape = {1, 1, 4};
    NEEDS(glnn_image_distort, (ctx, NULL, 1, 0, x, out), ctx, x, out);
    NEEDS(glnn_image_blur, (ctx, shape, 1, x, out), ctx, x, out);
    NEEDS(glnn_image_normalise, (ctx, 1, x, out), ctx, x, out);
    NEEDS(glnn_image_gradients, (ctx, shape, x, out), ctx, x, out);
    x = y = w->column;
    NEEDS(glnn_outer, (ctx, 1, x, y, 0, out), ctx, x, y, out);
}

static void data_sets(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_dataset *made, **out = &made;
    const glnn_dataset_desc described = {.samples = 1, .features = 1, .inputs = w->inputs};
    const glnn_dataset_matrices_desc lent = {.inputs = w->a};
    const char *path = "absent";
    {
        const glnn_dataset_desc *desc = &described;
        NEEDS(glnn_dataset_create, (ctx, desc, out), ctx, desc, out);
        NEEDS(glnn_dataset_open, (ctx, path, GLNN_DATASET_NPY, desc, out), ctx, path, desc, out);
    }
    {
        const glnn_dataset_matrices_desc *desc = &lent;
        NEEDS(glnn_dataset_create_from_matrices, (ctx, desc, out), ctx, desc, out);
    }
    assert_false(glnn_dataset_is_streamed(NULL));
    assert_int_equal(glnn_dataset_get_samples(NULL), 0);
    assert_int_equal(glnn_dataset_get_features(NULL), 0);
    assert_int_equal(glnn_dataset_get_outputs(NULL), 0);
    glnn_dataset_destroy(NULL);
}

static void streams(world *w)
{
    const glnn_dataset *data = w->stream;
    glnn_stream_figures figures = {.size = sizeof figures}, *out = &figures;
    NEEDS(glnn_dataset_get_stream_figures, (data, out), data, out);
    figures.size = 0;
    expect_error(glnn_dataset_get_stream_figures(data, out), GLNN_E_ARG,
                 "glnn_dataset_get_stream_figures: glnn_stream_figures.size is 0");
}

static void tables(world *w)
{
    const char *path = "absent";
    const float *data = w->inputs;
    {
        glnn_csv csv = {.size = sizeof csv}, *out = &csv;
        NEEDS(glnn_csv_read, (path, NULL, out), path, out);
        {
            glnn_csv_file *opened, **file = &opened;
            NEEDS(glnn_csv_file_open, (path, NULL, out, file), path, out, file);
        }
        {
            const int none = 0, *samples = &none;
            float *inputs = w->inputs, *file = inputs;
            NEEDS(glnn_csv_file_read_samples, (file, samples, 0, inputs), file, samples, inputs);
            glnn_csv_file_close(NULL);
        }
        glnn_csv_columns *columns = &csv.columns;
        float number = 0, *inputs = &number, *values = &number;
        const char *const field = "1", *const *fields = &field;
        NEEDS(glnn_csv_columns_fit, (columns, NULL, 1, values), columns, values);
        NEEDS(glnn_csv_columns_encode, (columns, 1, values, inputs, NULL), columns, values, inputs);
        char name[GLNN_CSV_FEATURE_NAME], *text = name;
        NEEDS(glnn_csv_columns_name_feature, (columns, 0, text), columns, text);
        NEEDS(glnn_csv_columns_parse, (columns, fields, values), columns, fields, values);
    }
    {
        glnn_codebook read = {.size = sizeof read}, *out = &read;
        const glnn_codebook *codebook = &read;
        NEEDS(glnn_codebook_read, (path, out), path, out);
        NEEDS(glnn_codebook_write, (path, codebook), path, codebook);
    }
    NEEDS(glnn_npy_write, (path, 1, 1, data, 0), path, data);
    NEEDS(glnn_file_write, (path, data, 1), path, data);
    glnn_csv_free(NULL);
    glnn_csv_columns_free(NULL);
    assert_null(glnn_csv_columns_find(NULL, GLNN_CSV_ROLE_LABEL));
    glnn_codebook_free(NULL);
}

static void fields(world *w)
{
    glnn_svm_desc svm = {0}, *desc = &svm;
    glnn_field field = {.size = sizeof field}, *out = &field;
    const char *name = "loss";
    char line[32] = "hinge", *text = line;
    (void)w;
    NEEDS(glnn_field_at, (GLNN_DESCRIPTION_SVM, 0, out), out);
    NEEDS(glnn_field_find, (GLNN_DESCRIPTION_SVM, name, out), name, out);
    NEEDS(glnn_field_set, (GLNN_DESCRIPTION_SVM, desc, name, text), desc, name, text);
    NEEDS(glnn_field_get, (GLNN_DESCRIPTION_SVM, desc, name, text, sizeof line), desc, name, text);
}

static void curves(world *w)
{
    (void)w;
    const char *path = "absent";
    const glnn_report epoch = {.epoch = 1}, *report = &epoch;
    glnn_curve *made, **out = &made;
    NEEDS(glnn_curve_create, (out), out);
    NEEDS(glnn_curve_read_csv, (path, out), path, out);
    expect_ok(glnn_curve_create(&made));
    glnn_curve *curve = made;
    NEEDS(glnn_curve_add, (curve, report), curve, report);
    NEEDS(glnn_curve_continue, (curve), curve);
    NEEDS(glnn_curve_write_csv, (curve, path), curve, path);
    assert_int_equal(glnn_curve_get_count(NULL), 0);
    assert_null(glnn_curve_get_report(NULL, 0));
    glnn_curve_destroy(made);
    glnn_curve_destroy(NULL);
}

static void arrays_of_files(world *w)
{
    const char *path = "absent";
    glnn_idx idx_read = {.size = sizeof idx_read, .data = w->ints};
    glnn_npy npy_read = {.size = sizeof npy_read, .data = w->ints};
    const glnn_idx *idx = &idx_read;
    const glnn_npy *npy = &npy_read;
    {
        glnn_idx *out = &idx_read;
        NEEDS(glnn_idx_read, (path, out), path, out);
        NEEDS(glnn_idx_write, (path, idx), path, idx);
    }
    {
        glnn_npy *out = &npy_read;
        NEEDS(glnn_npy_read, (path, out), path, out);
    }
    {
        float *out = w->floats;
        NEEDS(glnn_idx_get_floats, (idx, 1, out), idx, out);
        NEEDS(glnn_npy_get_floats, (npy, 1, out), npy, out);
    }
    {
        int *out = w->ints;
        NEEDS(glnn_idx_get_labels, (idx, 2, out), idx, out);
        NEEDS(glnn_npy_get_labels, (npy, 2, out), npy, out);
    }
    glnn_idx_free(NULL);
    glnn_npy_free(NULL);
}

static void images(world *w)
{
    const char *path = "absent";
    const float *pictures = w->inputs;
    int sizes_of[2], *width = &sizes_of[0], *height = &sizes_of[1];
    {
        float *read, **pixels = &read;
        NEEDS(glnn_image_read, (path, 1, width, height, pixels), path, width, height, pixels);
    }
    {
        const float *pixels = w->inputs;
        float scaled[1], *out = scaled;
        NEEDS(glnn_image_write, (path, 1, 2, 2, pixels, 0, 1), path, pixels);
        assert_float_equal(glnn_image_find_background(2, 2, NULL), 0.0f, 0.0f);
        NEEDS(glnn_image_scale, (1, 2, 2, pixels, 1, 1, out), pixels, out);
    }
    {
        glnn_image_folder read = {.size = sizeof read}, *out = &read;
        NEEDS(glnn_image_folder_read, (path, 0, out), path, out);
        NEEDS(glnn_image_folder_open, (path, 0, out), path, out);
        glnn_image_folder *folder = out;
        const int none = 0, *samples = &none;
        float *inputs = w->inputs;
        NEEDS(glnn_image_folder_read_samples, (folder, samples, 0, inputs), folder, samples,
              inputs);
        glnn_image_folder_free(NULL);
    }
    {
        float *read, **samples = &read;
        int rates[2], *rate = &rates[0], *length = &rates[1];
        NEEDS(glnn_sound_read, (path, 1, rate, length, samples), path, rate, length, samples);
    }
    {
        glnn_sound_folder read = {.size = sizeof read}, *out = &read;
        NEEDS(glnn_sound_folder_read, (path, 0, 0, out), path, out);
        glnn_sound_folder_free(NULL);
    }
    {
        glnn_handwriting opened = {.size = sizeof opened}, *out = &opened;
        const glnn_handwriting *set = &opened;
        float *inputs = w->floats;
        NEEDS(glnn_handwriting_open, (path, 0, NULL, out), path, out);
        NEEDS(glnn_handwriting_read, (set, 0, 1, inputs), set, inputs);
        glnn_handwriting_close(NULL);
    }
    {
        const float *samples = w->inputs;
        NEEDS(glnn_image_write_sheet, (path, 1, 1, 1, 2, 2, samples, 0, 1), path, samples);
    }
    NEEDS(glnn_image_write_grid, (path, 1, 1, 2, 2, pictures, 0, 0), path, pictures);
}

static void distortions(world *w)
{
    glnn_distortion described = {.shape = {1, 2, 2}}, *distortion = &described;
    float numbers[9], *m = numbers;
    (void)w;
    NEEDS(glnn_distortion_add, (distortion, GLNN_DISTORTION_AFFINE), distortion);
    NEEDS(glnn_distortion_get_matrix, (distortion, 1, 0, 0, m), distortion, m);
}

static void safetensors(world *w)
{
    const char *path = "absent";
    const glnn_tensor tensor = {.name = "t", .data = w->inputs}, *tensors = &tensor;
    const glnn_metadata entry = {"k", "v"}, *metadata = &entry;
    glnn_safetensors *read, **out = &read;
    NEEDS(glnn_safetensors_read, (path, out), path, out);
    NEEDS(glnn_safetensors_write, (path, tensors, 1, metadata, 1), path, tensors, metadata);
    assert_int_equal(glnn_safetensors_get_count(NULL), 0);
    assert_null(glnn_safetensors_get_tensor(NULL, 0));
    assert_null(glnn_safetensors_find_tensor(NULL, "t"));
    assert_null(glnn_safetensors_get_metadata(NULL, "k"));
    glnn_safetensors_free(NULL);
}

static void scales(world *w)
{
    const glnn_scale fitted = {0}, *scale = &fitted;
    {
        glnn_scale made, *out = &made;
        const float *samples = w->inputs;
        NEEDS(glnn_scale_fit, (GLNN_SCALE_STANDARD, 4, 4, samples, out), samples, out);
    }
    float *samples = w->floats;
    NEEDS(glnn_scale_apply, (scale, 4, 4, samples), scale, samples);
    NEEDS(glnn_scale_undo, (scale, 4, 4, samples), scale, samples);
    glnn_scale_free(NULL);
}

static void metrics(world *w)
{
    (void)w;
    {
        const glnn_class_metrics_desc described = {0}, *desc = &described;
        glnn_class_metrics computed = {.size = sizeof computed}, *out = &computed;
        NEEDS(glnn_class_metrics_compute, (desc, out), desc, out);
    }
    {
        const glnn_target_metrics_desc described = {0}, *desc = &described;
        glnn_target_metrics computed = {.size = sizeof computed}, *out = &computed;
        NEEDS(glnn_target_metrics_compute, (desc, out), desc, out);
    }
    glnn_class_metrics_free(NULL);
    glnn_target_metrics_free(NULL);
}

static void preparations(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_preparation prepared = {0}, *preparation = &prepared, copied;
    const float *samples = w->inputs;
    {
        glnn_preparation *out = &copied;
        NEEDS(glnn_preparation_copy, (preparation, out), preparation, out);
    }
    {
        float *out = w->floats;
        NEEDS(glnn_preparation_apply, (ctx, preparation, 4, samples, out), ctx, preparation,
              samples, out);
    }
    NEEDS(glnn_preparation_set_projection, (preparation, NULL), preparation);
    assert_int_equal(glnn_preparation_get_inputs(NULL), 0);
    glnn_preparation_free(NULL);
}

static void projections(world *w)
{
    glnn_context *ctx = w->ctx;
    glnn_projection *made, *projection = w->projection;
    const float *samples = w->inputs;
    const int *labels = w->labels;
    const char *path = "absent";
    {
        glnn_projection **out = &made;
        NEEDS(glnn_pca_fit, (ctx, NULL, 4, 4, samples, out), ctx, samples, out);
        NEEDS(glnn_lda_fit, (ctx, NULL, 4, 4, samples, labels, 2, out), ctx, samples, labels, out);
        NEEDS(glnn_projection_load, (ctx, path, out), ctx, path, out);
    }
    {
        float *out = w->floats;
        NEEDS(glnn_projection_apply, (projection, 4, samples, out), projection);
        if (projection)
            NEEDS(glnn_projection_apply, (projection, 4, samples, out), samples, out);
    }
    {
        const glnn_matrix *samples_of = w->a;
        glnn_matrix *out = w->b;
        NEEDS(glnn_projection_apply_matrix, (projection, samples_of, out), projection);
    }
    NEEDS(glnn_projection_save, (projection, path), projection);
    assert_int_equal(glnn_projection_get_features(NULL), 0);
    assert_int_equal(glnn_projection_get_components(NULL), 0);
    assert_null(glnn_projection_get_mean(NULL));
    assert_null(glnn_projection_get_directions(NULL));
    assert_null(glnn_projection_get_eigenvalues(NULL));
    glnn_projection_destroy(NULL);
}

/* Calls with a fitted projection, which only a library with LAPACK has. */
static void projections_in_use(world *w)
{
    glnn_projection *projection = w->projection;
    const glnn_matrix *samples = w->a;
    glnn_matrix *out = w->b;
    const char *path = "absent";
    if (!projection)
        return;
    NEEDS(glnn_projection_apply_matrix, (projection, samples, out), samples, out);
    NEEDS(glnn_projection_save, (projection, path), path);
}

static void null_pointers_are_refused_by_name(void **state)
{
    (void)state;
    static void (*const parts[])(world *) = {
        contexts,        advice,       sizes,       shorter_structures,
        matrices,        textures,     kernels,     operations,
        data_sets,       streams,      tables,      images,
        arrays_of_files, curves,       fields,      scales,
        safetensors,     preparations, projections, projections_in_use,
        distortions,     metrics};
    world *w = world_create();
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        parts[i](w);
    world_destroy(w);
    assert_int_equal(nulls_accepted(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(null_pointers_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("interface_nulls", tests, test_group_setup,
                                       test_group_teardown);
}
