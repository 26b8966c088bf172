/* The example hear: words in a stream of sound, and the window that shows what it has heard. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/glnn.h>

#include "common/listener.h"
#include "support/folder.h"
#include "support/trainer.h"
#include "support/wav.h"

enum { LENGTH = 24000 };

/* ---- Words in a stream */

/* Faint noise, and tones of so many samples from these places on. */
static void make_stream(float stream[LENGTH], const int *places, int count, int length)
{
    for (int i = 0; i < LENGTH; ++i)
        stream[i] = 0.001f * (float)(i * 7919 % 201 - 100) / 100;
    for (int w = 0; w < count; ++w)
        for (int i = 0; i < length; ++i)
            stream[places[w] + i] += 0.3f * sinf(0.5f * (float)i);
}

/* Gives a stream to a listener in pieces. Returns how many words there are, and where the sound of
 * each begins and ends. */
static int hear(const float *stream, int piece, float begins[4], float ends[4])
{
    static listener of;
    int heard = 0;
    memset(&of, 0, sizeof of);
    for (int at = 0, used; at < LENGTH; at += used) {
        const int count = LENGTH - at < piece ? LENGTH - at : piece;
        if (!listener_take(&of, stream + at, count, &used))
            continue;
        int first = 0, last = WORDS_LENGTH - 1;
        while (fabsf(of.word[first]) < 0.1f)
            ++first;
        while (of.word[last] == 0)
            --last;
        assert_true(heard < 4);
        begins[heard] = (float)first;
        ends[heard++] = (float)last;
    }
    return heard;
}

static void words_are_cut_out_of_a_stream(void **state)
{
    static const int places[] = {4000, 12000};
    static float stream[LENGTH];
    (void)state;
    make_stream(stream, places, 2, 2400);
    for (int piece = 1; piece <= LENGTH; piece = piece * 11 + 3) {
        float begins[4], ends[4];
        assert_int_equal(hear(stream, piece, begins, ends), 2);
        for (int w = 0; w < 2; ++w) {
            assert_true(begins[w] > LISTENER_BEFORE - LISTENER_BLOCK &&
                        begins[w] <= LISTENER_BEFORE + LISTENER_BLOCK);
            assert_true(ends[w] >= 2400 && ends[w] <= 2400 + LISTENER_BEFORE + LISTENER_BLOCK);
        }
    }
}

static void a_long_word_is_cut_and_silence_has_none(void **state)
{
    static const int place = 4000;
    static float stream[LENGTH];
    float begins[4], ends[4];
    (void)state;
    make_stream(stream, &place, 1, WORDS_LENGTH - LISTENER_BEFORE);
    assert_int_equal(hear(stream, 500, begins, ends), 1);
    assert_true(ends[0] == WORDS_LENGTH - 1);
    make_stream(stream, NULL, 0, 0);
    assert_int_equal(hear(stream, 500, begins, ends), 0);
}

/* ---- The window */

/* A network that has learnt nothing. */
static void write_network(const char *path)
{
    const glnn_network_desc desc = words_network(1);
    glnn_context *ctx;
    glnn_learner *network;
    assert_int_equal(glnn_context_create(NULL, &ctx), GLNN_OK);
    assert_int_equal(glnn_network_create(ctx, &desc, &network), GLNN_OK);
    assert_int_equal(glnn_learner_save(network, path), GLNN_OK);
    glnn_learner_destroy(network);
    glnn_context_destroy(ctx);
}

/* Whether a picture has a colour that is far from gray. */
static bool has_colours(const char *path)
{
    int width, height;
    float *pixels;
    bool has = false;
    assert_int_equal(glnn_image_read(path, 3, &width, &height, &pixels), GLNN_OK);
    for (int i = 0; i < width * height; ++i)
        has = has || fabsf(pixels[i] - pixels[2 * width * height + i]) > 0.5f;
    free(pixels);
    return has;
}

static void a_recording_is_shown_and_recognised(void **state)
{
    static float samples[6000];
    (void)state;
    write_network("net.safetensors");
    wav_tone(samples, 6000, 500, WORDS_RATE, 900);
    wav_write("tone.wav", WORDS_RATE, 6000, samples);
    does("--model net.safetensors --listen tone.wav --frames 3 --screenshot shown.png");
    assert_non_null(strstr(said, "heard "));
    assert_true(has_colours("shown.png"));
    fails("--model net.safetensors --listen absent.wav --frames 1", "absent.wav", "");
    fails("--model tone.wav --listen tone.wav --frames 1", "tone.wav", "");
}

/* SDL reads the microphone from a file. */
static void a_word_from_the_microphone_is_recognised(void **state)
{
    static const int place = 3000;
    static float stream[LENGTH];
    (void)state;
    write_network("net.safetensors");
    make_stream(stream, &place, 1, 2400);
    FILE *file = fopen("microphone.raw", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(stream, sizeof *stream, LENGTH, file), LENGTH);
    fclose(file);
    setenv("SDL_AUDIODRIVER", "disk", 1);
    setenv("SDL_DISKAUDIOFILEIN", "microphone.raw", 1);
    setenv("SDL_DISKAUDIODELAY", "5", 1);
    does("--model net.safetensors --frames 60");
    unsetenv("SDL_AUDIODRIVER");
    if (strstr(said, "built without SDL2"))
        skip();
    assert_non_null(strstr(said, "heard "));
}

static void a_machine_without_a_microphone_is_told_so(void **state)
{
    (void)state;
    write_network("net.safetensors");
    setenv("SDL_AUDIODRIVER", "disk", 1);
    setenv("SDL_DISKAUDIOFILEIN", "absent.raw", 1);
    does("--model net.safetensors --frames 2");
    unsetenv("SDL_AUDIODRIVER");
    assert_non_null(strstr(said, "; --listen names a recording"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_cut_out_of_a_stream),
        cmocka_unit_test(a_long_word_is_cut_and_silence_has_none),
        IN_FOLDER(a_recording_is_shown_and_recognised),
        IN_FOLDER(a_word_from_the_microphone_is_recognised),
        IN_FOLDER(a_machine_without_a_microphone_is_told_so),
    };
    return trainer_find("hear") ||
           cmocka_run_group_tests_name("the example hear", tests, NULL, NULL);
}
