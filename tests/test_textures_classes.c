/* Class numbers in textures of the host: textures of 8 bits cannot hold them. */
#include "support/host_textures.h"
#include "support/learning.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>

enum { SAMPLES = 4, CENTRES = 4 };

static int make_host(void **state)
{
    (void)state;
    adopt();
    context_use(guest);
    return 0;
}

static int end_host(void **state)
{
    release_learning();
    release_all();
    host_textures_end();
    leave_host();
    return leave_nothing_current(state);
}

#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_host, end_host)

static glnn_learner *four_centres(void)
{
    static const float centres[CENTRES] = {0, 1, 2, 3};
    glnn_learner *kmeans = NULL;
    expect_ok(
        glnn_kmeans_create(guest, &(glnn_kmeans_desc){.features = 1, .centres = CENTRES}, &kmeans));
    expect_ok(write_tensor(kmeans, "centres", centres));
    return kmeans;
}

static void class_numbers_are_not_written_to_8_bits(void **state)
{
    (void)state;
    static const host_kind kinds[] = {
        {.format = GL_R8, .target = GL_TEXTURE_2D},
        {.format = GL_RGBA8, .target = GL_TEXTURE_2D, .pixels = GLNN_PIXELS_AS_ROWS, .channels = 1},
    };
    const char *sentence =
        "is unorm8, which has no class numbers above 1; it must be float32 or float16";
    glnn_learner *kmeans = four_centres();
    glnn_learner *lvq = NULL;
    glnn_learner *gmm = NULL;
    expect_ok(glnn_lvq_create(guest, &(glnn_lvq_desc){.features = 1, .classes = 4}, &lvq));
    expect_ok(glnn_gmm_create(guest, &(glnn_gmm_desc){.features = 1, .components = 4}, &gmm));
    const glnn_matrix *inputs = matrix_zero(SAMPLES, 1, GLNN_LAYOUT_PACKED);
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = texture_holding(&kinds[i], array_new(SAMPLES, 1));
        glnn_matrix *classes = adopted(&texture);
        expect_error(glnn_learner_predict_matrix(kmeans, inputs, classes), GLNN_E_ARG, sentence);
        expect_error(glnn_learner_predict_matrix(lvq, inputs, classes), GLNN_E_ARG, sentence);
        expect_error(glnn_learner_predict_matrix(gmm, inputs, classes), GLNN_E_ARG, sentence);
    }
    glnn_learner_destroy(gmm);
    glnn_learner_destroy(lvq);
    glnn_learner_destroy(kmeans);
}

static void class_numbers_are_written_to_floats(void **state)
{
    (void)state;
    static const host_kind kinds[] = {
        {.format = GL_R32F, .target = GL_TEXTURE_2D},
        {.format = GL_RGBA16F,
         .target = GL_TEXTURE_2D,
         .pixels = GLNN_PIXELS_AS_ROWS,
         .channels = 1},
    };
    glnn_learner *kmeans = four_centres();
    array inputs = array_new(SAMPLES, 1);
    for (int i = 0; i < SAMPLES; ++i)
        inputs.data[i] = SAMPLES - 1 - i;
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = texture_holding(&kinds[i], array_new(SAMPLES, 1));
        glnn_matrix *classes = adopted(&texture);
        expect_ok(
            glnn_learner_predict_matrix(kmeans, matrix_of(inputs, GLNN_LAYOUT_PACKED), classes));
        expect_equal(classes, inputs, "texture %d", (int)i);
    }
    glnn_learner_destroy(kmeans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(class_numbers_are_not_written_to_8_bits),
        HOST_TEST(class_numbers_are_written_to_floats),
    };
    return cmocka_run_group_tests_name("classes in textures", tests, keep_driver_loaded, NULL);
}
