/* The sentence of an error of a file begins with the function that was called, then the path. */
#include "support/learner_files.h"

#include <glnn/codebook.h>
#include <glnn/csv.h>
#include <glnn/gmm.h>
#include <glnn/idx.h>
#include <glnn/image.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/npy.h>
#include <glnn/projection.h>
#include <glnn/sound.h>

static void expect_beginning(glnn_status status, const char *function, const char *path)
{
    char wanted[sizeof(file_path) + 64];
    snprintf(wanted, sizeof wanted, "%s: %s", function, path);
    if (status == GLNN_OK || strncmp(glnn_last_error(), wanted, strlen(wanted)) != 0)
        fail_at(__FILE__, __LINE__, "%s: %s", function, status ? glnn_last_error() : "no error");
}

/* Calls a function with the other arguments. */
#define BEGINS(function, path, ...) expect_beginning(function(__VA_ARGS__), #function, path)

/* Reads a file with each function. */
static void read_with_all(const char *path)
{
    glnn_context *ctx = glnn_test_context();
    int width, height;
    float *pixels;
    glnn_npy npy = {.size = sizeof npy};
    glnn_idx idx = {.size = sizeof idx};
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *rows;
    glnn_codebook codebook = {.size = sizeof codebook};
    glnn_safetensors *file;
    glnn_projection *projection;
    glnn_learner *network;
    glnn_learner *lvq;
    glnn_learner *kmeans;
    glnn_learner *gmm;
    glnn_dataset *data;
    const glnn_dataset_desc desc = {.samples = 3, .features = 2};
    BEGINS(glnn_image_read, path, path, 1, &width, &height, &pixels);
    BEGINS(glnn_npy_read, path, path, &npy);
    BEGINS(glnn_idx_read, path, path, &idx);
    BEGINS(glnn_csv_read, path, path, NULL, &csv);
    BEGINS(glnn_csv_file_open, path, path, NULL, &csv, &rows);
    BEGINS(glnn_codebook_read, path, path, &codebook);
    BEGINS(glnn_safetensors_read, path, path, &file);
    BEGINS(glnn_projection_load, path, ctx, path, &projection);
    BEGINS(glnn_learner_load, path, ctx, path, NULL, &network);
    BEGINS(glnn_learner_load, path, ctx, path, NULL, &lvq);
    BEGINS(glnn_learner_load, path, ctx, path, NULL, &kmeans);
    BEGINS(glnn_learner_load, path, ctx, path, NULL, &gmm);
    BEGINS(glnn_dataset_open, path, ctx, path, GLNN_DATASET_NPY, &desc, &data);
    BEGINS(glnn_dataset_open, path, ctx, path, GLNN_DATASET_FLOATS, &desc, &data);
}

static void readers_begin_with_their_name_and_the_path(void **state)
{
    (void)state;
    static const unsigned char other[] = {0, 1, '\n', 0xFF, '"', 0, 'x'};
    glnn_image_folder folder = {.size = sizeof folder};
    glnn_sound_folder recordings = {.size = sizeof recordings};
    const file_path absent = path_of("absent");
    read_with_all(absent.text);
    read_with_all(file_write("empty", "", 0).text);
    read_with_all(file_write("other", other, sizeof other).text);
    BEGINS(glnn_image_folder_read, absent.text, absent.text, 1, &folder);
    BEGINS(glnn_image_folder_open, absent.text, absent.text, 1, &folder);
    BEGINS(glnn_sound_folder_read, absent.text, absent.text, 0, 0, &recordings);
}

static void rows_of_a_table_follow_its_path(void **state)
{
    (void)state;
    static const char table[] = "1,2\n3\n", book[] = "2\n1 2 a\n3 b\n";
    glnn_csv csv = {.size = sizeof csv};
    glnn_codebook codebook = {.size = sizeof codebook};
    const file_path rows = file_write("rows", table, sizeof table - 1),
                    vectors = file_write("vectors", book, sizeof book - 1);
    BEGINS(glnn_csv_read, rows.text, rows.text, NULL, &csv);
    BEGINS(glnn_codebook_read, vectors.text, vectors.text, &codebook);
    const glnn_csv_desc odd = {.header = GLNN_CSV_HEADER_COUNT};
    BEGINS(glnn_csv_read, "desc->header is", rows.text, &odd, &csv);
}

static void writers_begin_with_their_name_and_the_path(void **state)
{
    (void)state;
    const file_path to = path_of("absent/file");
    const char *path = to.text;
    const float numbers[4] = {1, 2, 3, 4};
    const glnn_idx idx = {.size = sizeof idx,
                          .type = GLNN_IDX_FLOAT32,
                          .dimensions = 1,
                          .shape = {4},
                          .data = (void *)(uintptr_t)numbers};
    const glnn_codebook codebook = {
        .size = sizeof codebook, .count = 2, .features = 2, .vectors = (float *)(uintptr_t)numbers};
    const glnn_tensor tensor = {"x", 1, {4}, numbers};
    glnn_projection *projection;
    BEGINS(glnn_image_write, path, path, 1, 2, 2, numbers, 0, 4);
    BEGINS(glnn_image_write_sheet, path, path, 1, 1, 1, 2, 2, numbers, 0, 4);
    BEGINS(glnn_image_write_grid, path, path, 1, 1, 2, 2, numbers, 4, 1);
    BEGINS(glnn_npy_write, path, path, 2, 2, numbers, 0);
    BEGINS(glnn_idx_write, path, path, &idx);
    BEGINS(glnn_codebook_write, path, path, &codebook);
    BEGINS(glnn_safetensors_write, path, path, &tensor, 1, NULL, 0);
    BEGINS(glnn_learner_save, path,
           network_of(&(glnn_network_desc){.features = 1, .layers = {{.units = 1}}}), path);
    const glnn_pca_desc desc = {.components = 1};
    expect_ok(glnn_pca_fit(glnn_test_context(), &desc, 2, 2, numbers, &projection));
    BEGINS(glnn_projection_save, path, projection, path);
    glnn_projection_destroy(projection);
}

static void arguments_out_of_range_follow_the_name(void **state)
{
    (void)state;
    const float number = 1;
    int width, height;
    float *pixels;
    BEGINS(glnn_image_read, "`channels` is 2", "x", 2, &width, &height, &pixels);
    BEGINS(glnn_image_write, "`channels` is 2", "x", 2, 1, 1, &number, 0, 1);
    BEGINS(glnn_image_write, "`low` is 1", "x", 1, 1, 1, &number, 1, 1);
    BEGINS(glnn_image_write_sheet, "0 pictures", "x", 0, 1, 1, 1, 1, &number, 0, 1);
    BEGINS(glnn_image_write_grid, "0 pictures", "x", 0, 1, 1, 1, &number, 1, 1);
    BEGINS(glnn_npy_write, "0 rows", "x", 0, 1, &number, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(readers_begin_with_their_name_and_the_path),
        LEARNING_TEST(rows_of_a_table_follow_its_path),
        LEARNING_TEST(writers_begin_with_their_name_and_the_path),
        LEARNING_TEST(arguments_out_of_range_follow_the_name),
    };
    return cmocka_run_group_tests_name("sentences of files", tests, learner_files_setup,
                                       learner_files_teardown);
}
