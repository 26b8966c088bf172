/* Layers and distortions as the command line of the program train spells them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../examples/common/failure.h"
#include "../examples/train/distort.h"
#include "../examples/train/layers.h"

static layer_list parsed(const char *text)
{
    layer_list list;
    if (!layers_parse(text, GLNN_ACTIVATION_TANH, &list))
        fail_msg("%s: %s", text, failure());
    return list;
}

static void assert_layer(const glnn_layer_desc *got, glnn_layer_desc wanted)
{
    assert_int_equal(got->kind, wanted.kind);
    assert_int_equal(got->units, wanted.units);
    assert_int_equal(got->activation, wanted.activation);
    assert_true(got->rate == wanted.rate);
    assert_memory_equal(&got->kernel, &wanted.kernel, sizeof got->kernel);
    assert_memory_equal(&got->stride, &wanted.stride, sizeof got->stride);
    assert_memory_equal(&got->padding, &wanted.padding, sizeof got->padding);
    assert_memory_equal(&got->dilation, &wanted.dilation, sizeof got->dilation);
    assert_int_equal(got->groups, wanted.groups);
    assert_int_equal(got->skip, wanted.skip);
    assert_int_equal(got->size, wanted.size);
    assert_int_equal(got->window, wanted.window);
    assert_int_equal(got->all_states, wanted.all_states);
    assert_memory_equal(got->inputs, wanted.inputs, sizeof got->inputs);
    assert_true(got->alpha == wanted.alpha && got->beta == wanted.beta && got->k == wanted.k);
}

static void every_kind_of_layer_has_a_text(void **state)
{
    static const glnn_layer_desc wanted[] = {
        {.kind = GLNN_LAYER_CONVOLUTION,
         .units = 6,
         .kernel = {5, 5},
         .padding = {2, 2},
         .activation = GLNN_ACTIVATION_TANH},
        {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}, .stride = {1, 1}},
        {.kind = GLNN_LAYER_CONVOLUTION,
         .units = 16,
         .kernel = {5, 3},
         .stride = {2, 1},
         .dilation = {3, 3},
         .groups = 2,
         .activation = GLNN_ACTIVATION_IDENTITY},
        {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_RELU},
        {.kind = GLNN_LAYER_RESIDUAL, .skip = 3, .activation = GLNN_ACTIVATION_TANH},
        {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 3}},
        {.kind = GLNN_LAYER_FLATTEN},
        {.kind = GLNN_LAYER_DENSE, .units = 120, .activation = GLNN_ACTIVATION_SIGMOID},
        {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
        {.kind = GLNN_LAYER_DENSE, .units = 120, .inputs = {2}, .activation = GLNN_ACTIVATION_TANH},
        {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 2, 3}},
        {.kind = GLNN_LAYER_ADD, .inputs = {1, 4}, .activation = GLNN_ACTIVATION_RELU},
        {.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_TANH},
        {.kind = GLNN_LAYER_LOCAL_RESPONSE_NORM, .size = 3, .alpha = 0.5f, .k = 1},
        {.kind = GLNN_LAYER_UPSAMPLE, .stride = {2, 3}},
        {.kind = GLNN_LAYER_SLICE, .units = 4, .inputs = {2}},
        {.kind = GLNN_LAYER_UNFLATTEN, .shape = {2, 1, 2}},
        {.kind = GLNN_LAYER_GRU, .units = 7, .window = 5, .all_states = true},
        {.kind = GLNN_LAYER_RECURRENT, .units = 3, .inputs = {1, 4}},
        {.kind = GLNN_LAYER_SPECTROGRAM,
         .units = 40,
         .kernel = {1, 256},
         .stride = {1, 128},
         .sample_rate = 8000},
    };
    (void)state;
    const layer_list list =
        parsed("convolution 6 5 padding 2, max_pool 2 stride 1,convolution 16 5x3 identity stride "
               "2x1 dil 3 groups 2 ,  batch_norm relu, residual 3, average_pool 2x3, flatten, "
               "dense 120 sigmoid, dropout 0.25, dense 120 inputs 2 tanh, concatenate 1+2+3, "
               "add 1+4 relu, layer_norm, local_response_norm k 1 size 3 alpha 0.5, upsample 2x3, "
               "slice 4 0 inputs 2, unflatten 2x1x2, gru 7 all window 5, recurrent 3 inputs 1+4, "
               "spectrogram 40 1x256 stride 1x128 sample_rate 8000");
    assert_int_equal(list.count, sizeof wanted / sizeof wanted[0]);
    for (int i = 0; i < list.count; ++i)
        assert_layer(&list.layers[i], wanted[i]);
}

static void the_text_of_a_layer_is_read_as_the_same_layer(void **state)
{
    static const char *const texts[] = {"convolution 6 5 tanh",
                                        "convolution 6 5x3 stride 2x1 padding 0x2 groups 3 relu",
                                        "convolution 6 1x2 padding 1 identity",
                                        "convolution 6 3 dilation 1x2 relu",
                                        "max_pool 2",
                                        "max_pool 3x2 stride 2",
                                        "average_pool 2 stride 1x2 padding 1",
                                        "batch_norm leaky_relu",
                                        "layer_norm tanh",
                                        "local_response_norm size 5 alpha 0.0001 beta 0.75 k 2",
                                        "upsample 2x3",
                                        "spectrogram 40 1x256 stride 1x128 sample_rate 8000",
                                        "transposed_convolution 6 4 stride 2 padding 1 relu",
                                        "convolution 16 1x5 stride 1x2 padding 0x2 relu",
                                        "max_pool 1x2",
                                        "gru 7 window 5 all_states",
                                        "recurrent 3",
                                        "residual 3 relu",
                                        "slice 3 2",
                                        "unflatten 3x2x1",
                                        "dense 120 scaled_tanh",
                                        "dense 120 inputs 3 relu",
                                        "convolution 6 5 stride 2 inputs 2 tanh",
                                        "max_pool 2 inputs 4",
                                        "add 1+3 relu",
                                        "multiply 2+1+4+3 identity",
                                        "concatenate 1+2",
                                        "dropout 0.25",
                                        "flatten"};
    char text[LAYER_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        layers_describe(&parsed(texts[i]).layers[0], text);
        assert_string_equal(text, texts[i]);
    }
}

static void names_can_be_cut_short(void **state)
{
    const layer_list whole = parsed("convolution 6 5 padding 2 leaky_relu, max_pool 2, flatten, "
                                    "dense 9 scaled_tanh, dropout 0.5"),
                     cut = parsed("conv 6 5 pad 2 l, max 2, f, de 9 sc, drop 0.5");
    (void)state;
    assert_int_equal(whole.count, cut.count);
    for (int i = 0; i < whole.count; ++i)
        assert_layer(&cut.layers[i], whole.layers[i]);
}

static void wrong_layers_are_refused_with_what_is_possible(void **state)
{
    static const struct {
        const char *text, *parts[2];
    } cases[] = {
        {"dense", {"layer 'dense': units", "an integer"}},
        {"dense x", {"layer 'dense x': units", "not 'x'"}},
        {"dense -3", {"units has to be an integer from 1", "not '-3'"}},
        {"dense 0", {"units has to be an integer from 1", "not '0'"}},
        {"dense 99999999999", {"units has to be", "'99999999999'"}},
        {"dense 3 4", {"layer 'dense 3 4'", "'4' has no meaning there"}},
        {"conv", {"layer 'conv': channels has to be", "an integer from 1"}},
        {"transposed x", {"layer 'transposed x': channels has to be", "not 'x'"}},
        {"slice", {"layer 'slice': channels has to be", "an integer from 1"}},
        {"spectrogram", {"layer 'spectrogram': bands has to be", "an integer from 1"}},
        {"conv 6", {"layer 'conv 6': kernel", "HEIGHTxWIDTH"}},
        {"add", {"layer 'add': inputs has to be two to four layers", "such as 1+3"}},
        {"add 2", {"layer 'add 2': inputs has to be two to four layers", "not '2'"}},
        {"concatenate 1+2+3+4+5", {"inputs has to be two to four", "not '1+2+3+4+5'"}},
        {"dense 3 inputs 1+2", {"inputs has to be a layer counted back, such as 2", "'1+2'"}},
        {"add 1+0", {"inputs has to be", "not '1+0'"}},
        {"dense 3 inputs 1-2", {"inputs has to be", "not '1-2'"}},
        {"conv 6 5x", {"kernel has to be", "'5x'"}},
        {"conv 6 5x3x2", {"kernel has to be", "'5x3x2'"}},
        {"conv 6 5 stride 0", {"stride has to be a number or HEIGHTxWIDTH, from 1 on", "'0'"}},
        {"max 2x0", {"kernel has to be a number or HEIGHTxWIDTH, from 1 on", "'2x0'"}},
        {"conv 6 5 padding", {"padding has to be", "HEIGHTxWIDTH"}},
        {"dropout half", {"rate has to be a number", "'half'"}},
        {"d 3", {"'d' begins several names", "choose dense or dropout"}},
        {"conv 6 5 s 2", {"'s' begins several names", "stride, sigmoid, scaled_tanh or softsign"}},
        {"conv 6 5 skip 2",
         {"'skip' has no meaning there", "stride, padding, dilation, groups, inputs"}},
        {"max 2 relu", {"'relu' has no meaning there", "choose stride, padding or inputs"}},
        {"flatten 3", {"'3' has no meaning there", "flatten has no options"}},
        {"conv 6 5 pad 1 padding 2", {"layer 'conv 6 5 pad 1 padding 2'", "two numbers"}},
        {"dense 6 relu tanh", {"layer 'dense 6 relu tanh'", "two activations"}},
        {"recursion 3", {"'recursion' is not a kind of layer", "batch_norm"}},
        {"local size 0", {"size has to be an integer from 1", "not '0'"}},
        {"local alpha x", {"alpha has to be a number", "not 'x'"}},
        {"upsample", {"layer 'upsample': stride has to be", "HEIGHTxWIDTH, from 1 on"}},
        {"dense 3,", {"a layer is empty", "commas"}},
        {"dense 3,,dense 4", {"a layer is empty", "commas"}},
        {"dense 3; dense 4", {"units has to be", "'3;'"}},
    };
    layer_list list;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        if (layers_parse(cases[i].text, GLNN_ACTIVATION_RELU, &list))
            fail_msg("'%s' was accepted", cases[i].text);
        for (int p = 0; p < 2; ++p)
            if (strstr(failure(), cases[i].parts[p]) == NULL)
                fail_msg("'%s': \"%s\" lacks \"%s\"", cases[i].text, failure(), cases[i].parts[p]);
    }
}

static void lists_have_as_many_layers_as_networks_before_the_last_one(void **state)
{
    char text[GLNN_NETWORK_MAX_LAYERS * 8 + 1] = "dense 1";
    layer_list list;
    (void)state;
    for (int i = 1; i < GLNN_NETWORK_MAX_LAYERS - 1; ++i)
        strcat(text, ",dense 1");
    assert_int_equal(parsed(text).count, GLNN_NETWORK_MAX_LAYERS - 1);
    strcat(text, ",dense 1");
    assert_false(layers_parse(text, GLNN_ACTIVATION_RELU, &list));
    assert_non_null(strstr(failure(), "63 layers"));
    memset(text, ' ', sizeof text - 1);
    assert_false(layers_parse(text, GLNN_ACTIVATION_RELU, &list));
    assert_non_null(strstr(failure(), "longer than 127 bytes"));
}

static glnn_distortion distortion(const char *text)
{
    glnn_distortion of;
    if (!distort_parse(text, &of))
        fail_msg("%s: %s", text, failure());
    return of;
}

static void distortions_are_kinds_and_numbers(void **state)
{
    glnn_distortion affine = {0}, both = {0};
    (void)state;
    assert_int_equal(glnn_distortion_add(&affine, GLNN_DISTORTION_AFFINE), GLNN_OK);
    both = affine;
    assert_int_equal(glnn_distortion_add(&both, GLNN_DISTORTION_ELASTIC), GLNN_OK);
    glnn_distortion got = distortion("affine");
    assert_memory_equal(&got, &affine, sizeof got);
    got = distortion("affine,elastic");
    assert_memory_equal(&got, &both, sizeof got);
    both.rotation = 15;
    both.elastic = 36;
    both.sigma = 6;
    got = distortion(" affine , elastic, rotation 15,elastic 36 ,sigma 6");
    assert_memory_equal(&got, &both, sizeof got);
    got = distortion("shift 2, scale 0.1, shear 3, probability 0.5, background 1");
    assert_true(got.shift == 2 && got.scale == 0.1f && got.shear == 3);
    assert_true(got.probability == 0.5f && got.background == 1);
    assert_true(got.rotation == 0 && got.elastic == 0 && got.sigma == 0);
}

static void wrong_distortions_are_refused_with_what_is_possible(void **state)
{
    static const struct {
        const char *text, *parts[2];
    } cases[] = {
        {"afine", {"'afine'", "affine or elastic, or shift, rotation"}},
        {"affine 3", {"'affine 3'", "affine or elastic"}},
        {"rotation", {"'rotation'", "and a number"}},
        {"rotation x", {"'rotation x'", "'x' is not a number in [0, 180]"}},
        {"rotation 181", {"'rotation 181'", "'181' is not a number in [0, 180]"}},
        {"elastic 36, sigma 0", {"'sigma 0'", "'0' is not a finite number above 0"}},
        {"probability 0", {"'probability 0'", "'0' is not a number in (0, 1]"}},
        {"rotation 1 2", {"'rotation 1 2'", "and a number"}},
        {"affine,,elastic", {"empty", "commas"}},
        {"affine,", {"empty", "commas"}},
        {"", {"empty", "commas"}},
    };
    glnn_distortion of;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        if (distort_parse(cases[i].text, &of))
            fail_msg("'%s' was accepted", cases[i].text);
        for (int p = 0; p < 2; ++p)
            if (strstr(failure(), cases[i].parts[p]) == NULL)
                fail_msg("'%s': \"%s\" lacks \"%s\"", cases[i].text, failure(), cases[i].parts[p]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_layer_has_a_text),
        cmocka_unit_test(the_text_of_a_layer_is_read_as_the_same_layer),
        cmocka_unit_test(names_can_be_cut_short),
        cmocka_unit_test(wrong_layers_are_refused_with_what_is_possible),
        cmocka_unit_test(lists_have_as_many_layers_as_networks_before_the_last_one),
        cmocka_unit_test(distortions_are_kinds_and_numbers),
        cmocka_unit_test(wrong_distortions_are_refused_with_what_is_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
