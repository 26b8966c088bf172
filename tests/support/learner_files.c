#include "learner_files.h"

int learner_files_setup(void **state)
{
    return test_group_setup(state) || folder_make(state);
}

int learner_files_teardown(void **state)
{
    return folder_remove(state) | test_group_teardown(state);
}

enum { MAX_ARRAYS = 16, MAX_TEXTS = 48 };

file_path changed(const learner_file *file, change by)
{
    glnn_safetensors *from;
    glnn_tensor tensors[MAX_ARRAYS];
    glnn_metadata metadata[MAX_TEXTS];
    int arrays = 0, texts = 0;
    expect_ok(glnn_safetensors_read(file->path.text, &from));
    assert_true(glnn_safetensors_get_count(from) <= MAX_ARRAYS && file->count <= MAX_TEXTS);
    for (int i = 0; i < glnn_safetensors_get_count(from); ++i) {
        tensors[arrays] = *glnn_safetensors_get_tensor(from, i);
        if (by.array && strcmp(tensors[arrays].name, by.array) == 0)
            tensors[arrays] = by.tensor;
        arrays += tensors[arrays].name != NULL;
    }
    for (size_t k = 0; k < file->count; ++k) {
        const char *key = file->keys[k];
        metadata[texts] = (glnn_metadata){key, glnn_safetensors_get_metadata(from, key)};
        assert_non_null(metadata[texts].value);
        if (by.key && strcmp(key, by.key) == 0)
            metadata[texts].value = by.value;
        texts += metadata[texts].value != NULL;
    }
    const file_path out = path_of("changed");
    expect_ok(glnn_safetensors_write(out.text, tensors, arrays, metadata, texts));
    glnn_safetensors_free(from);
    return out;
}

void assert_damage_fails(file_reader reader, const learner_file *file, const damage *cases,
                         size_t count)
{
    for (size_t i = 0; i < count; ++i)
        assert_fails(reader(changed(file, cases[i].by).text), cases[i].status, cases[i].part);
}

static void assert_text_fails(file_reader reader, const learner_file *file, const char *key,
                              const char *value)
{
    const file_path copy = changed(file, (change){.key = key, .value = value});
    assert_fails(reader(copy.text), GLNN_E_FORMAT, key);
}

void assert_odd_texts_fail(file_reader reader, const learner_file *file, const glnn_metadata *wrong,
                           size_t count)
{
    static const char *const garbage[] = {NULL, "", "garbage", "-1", "1x", " 1", "1,"};
    for (size_t k = 0; k < file->count; ++k)
        for (size_t g = 0; g < COUNT_OF(garbage); ++g)
            assert_text_fails(reader, file, file->keys[k], garbage[g]);
    for (size_t i = 0; i < count; ++i)
        assert_text_fails(reader, file, wrong[i].key, wrong[i].value);
}
