/* Headers of safetensors: how names are found, and what is checked before a file is replaced. */
#include <glnn/safetensors.h>

#include "support/files.h"

#include "io/growing_text.h"

#include <stdarg.h>

/* Comparisons of texts by the library and by this program. */
static size_t comparisons;

int strcmp(const char *left, const char *right)
{
    ++comparisons;
    while (*left && *left == *right) {
        ++left;
        ++right;
    }
    return (unsigned char)*left - (unsigned char)*right;
}

/* Pieces of the header's text that were printed, and the first one that gets lost with all after
 * it; 0: none. */
static int printed, lost;

/* In the place of the library's own. */
void glnn__text_print(glnn__growing_text *to, const char *format, ...)
{
    va_list arguments;
    if (!to->text) {
        to->capacity = 1 << 20;
        to->text = malloc(to->capacity);
        assert_non_null(to->text);
    }
    if (++printed >= lost && lost > 0)
        return;
    va_start(arguments, format);
    const int length = vsnprintf(to->text + to->size, to->capacity - to->size, format, arguments);
    va_end(arguments);
    assert_in_range(length, 0, to->capacity - to->size - 1);
    to->size += (size_t)length;
}

/* A file with this many empty arrays. */
static file_path crowded_file(int count)
{
    glnn_tensor *arrays = calloc((size_t)count, sizeof *arrays);
    char(*names)[24] = calloc((size_t)count, sizeof *names);
    const file_path path = path_of("crowded");
    assert_true(arrays && names);
    for (int i = 0; i < count; ++i) {
        snprintf(names[i], sizeof names[i], "state.%d", i);
        arrays[i] = (glnn_tensor){.name = names[i], .dimensions = 1};
    }
    assert_int_equal(glnn_safetensors_write(path.text, arrays, count, NULL, 0), GLNN_OK);
    free(arrays);
    free(names);
    return path;
}

/* Sorting and finding n names takes about n log2 n comparisons each; comparing all with all would
 * take n / 2 for each of them. */
static void names_of_a_crowded_file_are_found_by_few_comparisons(void **state)
{
    (void)state;
    enum { COUNT = 4096, LOG = 12 };
    char name[16];
    glnn_safetensors *file;
    comparisons = 0;
    assert_int_equal(glnn_safetensors_read(crowded_file(COUNT).text, &file), GLNN_OK);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(name, sizeof name, "state.%d", i);
        assert_string_equal(glnn_safetensors_find_tensor(file, name)->name, name);
    }
    assert_null(glnn_safetensors_find_tensor(file, "state.4096"));
    assert_in_range(comparisons, COUNT, 16 * COUNT * LOG);
    glnn_safetensors_free(file);
}

static void a_header_that_came_out_short_replaces_no_file(void **state)
{
    (void)state;
    static const float numbers[] = {1, 2};
    static const glnn_tensor array = {"x", 1, {2}, numbers};
    static const glnn_metadata text = {"format", "test"};
    unsigned char before[256], after[256];
    const file_path path = path_of("short");
    printed = 0;
    assert_int_equal(glnn_safetensors_write(path.text, &array, 1, &text, 1), GLNN_OK);
    const size_t size = file_read(path.text, before, sizeof before);
    const int pieces = printed;
    assert_true(pieces > 10);
    for (lost = 1; lost <= pieces; ++lost) {
        printed = 0;
        const glnn_status status = glnn_safetensors_write(path.text, &array, 1, &text, 1);
        assert_fails(status, GLNN_E_IO, "does not read back");
    }
    lost = 0;
    assert_int_equal(file_read(path.text, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_a_crowded_file_are_found_by_few_comparisons),
        cmocka_unit_test(a_header_that_came_out_short_replaces_no_file),
    };
    return cmocka_run_group_tests_name("safetensors header", tests, folder_make, folder_remove);
}
