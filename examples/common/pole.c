#include "pole.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "failure.h"
#include "matrix.h"
#include "random.h"

/* Moves a cart by 20 ms; false if it left the track or its pole fell. The physics are those of
 * Barto, Sutton and Anderson (1983). */
static bool move(pole_cart *c, float force)
{
    const float gravity = 9.8f, all = 1.1f, pole = 0.1f, half = 0.5f, time = 0.02f;
    const float sine = sinf(c->angle), cosine = cosf(c->angle);
    const float push = (force + pole * half * c->turning * c->turning * sine) / all;
    const float turn =
        (gravity * sine - cosine * push) / (half * (4.0f / 3.0f - pole * cosine * cosine / all));
    c->position += time * c->speed;
    c->speed += time * (push - pole * half * turn * cosine / all);
    c->angle += time * c->turning;
    c->turning += time * turn;
    return fabsf(c->position) < 2.4f && fabsf(c->angle) < 0.21f;
}

static void begin_round(pole_agent *a)
{
    a->moment = 0;
    for (int i = 0; i < POLE_CARTS; ++i) {
        a->carts[i] = (pole_cart){.angle = 0.1f * (random_fraction(&a->random) - 0.5f)};
        a->lengths[i] = POLE_MOMENTS;
    }
}

pole_agent *pole_create(glnn_context *ctx)
{
    const glnn_network_desc desc = {.features = POLE_NUMBERS,
                                    .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                                               {.units = 1, .activation = GLNN_ACTIVATION_SIGMOID}},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                                    .capacity = POLE_SAMPLES,
                                    .seed = 1};
    pole_agent *a = calloc(1, sizeof *a);
    REQUIRE(a || refuse("no memory for %d moments", POLE_SAMPLES));
    a->ctx = ctx;
    a->random = 1;
    a->now = create_matrix(ctx, POLE_CARTS, POLE_NUMBERS);
    a->scores = create_matrix(ctx, POLE_CARTS, 1);
    a->all = create_matrix(ctx, POLE_SAMPLES, POLE_NUMBERS);
    a->all_scores = create_matrix(ctx, POLE_SAMPLES, 1);
    a->gradient = create_matrix(ctx, POLE_SAMPLES, 1);
    CHECK(glnn_network_create(ctx, &desc, &a->network));
    begin_round(a);
    return a;
}

void pole_destroy(pole_agent *a)
{
    glnn_matrix *const matrices[] = {a->now, a->scores, a->all, a->all_scores, a->gradient};
    for (int i = 0; i < 5; ++i)
        glnn_matrix_destroy(matrices[i]);
    glnn_learner_destroy(a->network);
    free(a);
}

static void remember(pole_agent *a, int i)
{
    const pole_cart *c = &a->carts[i];
    const float scaled[POLE_NUMBERS] = {c->position, c->speed, 10 * c->angle, c->turning};
    for (int k = 0; k < POLE_NUMBERS; ++k)
        a->seen[a->moment * POLE_CARTS + i][k] = scaled[k];
}

/* How much longer an attempt went on than usual at a moment, in units of the spread. */
static void weigh(pole_agent *a)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int n = 0; n < POLE_SAMPLES; ++n) {
        const int left = a->lengths[n % POLE_CARTS] - n / POLE_CARTS;
        a->weights[n] = left > 0 ? 1 - powf(0.98f, (float)left) : 0;
        count += left > 0;
        sum += (double)a->weights[n];
        squares += (double)a->weights[n] * (double)a->weights[n];
    }
    const double mean = sum / count, spread = sqrt(squares / count - mean * mean) + 1e-3;
    for (int n = 0; n < POLE_SAMPLES; ++n)
        a->weights[n] = a->lengths[n % POLE_CARTS] > n / POLE_CARTS
                            ? (float)((a->weights[n] - mean) / (spread * count))
                            : 0;
}

/* The loss of a sample is -weight log(p), where p is the probability of what was done. The output y
 * is that of a push to the right, so the derivative by y is -weight / y or weight / (1 - y). */
static void learn(pole_agent *a)
{
    CHECK(glnn_matrix_upload(a->ctx, a->all, NULL, &a->seen[0][0], 0));
    CHECK(glnn_network_forward(a->network, a->all, true, a->all_scores));
    CHECK(glnn_matrix_download(a->ctx, a->all_scores, NULL, a->slopes, 0));
    for (int n = 0; n < POLE_SAMPLES; ++n) {
        const float y = fminf(fmaxf(a->slopes[n], 1e-3f), 1 - 1e-3f);
        a->slopes[n] = a->pushed[n] > 0 ? -a->weights[n] / y : a->weights[n] / (1 - y);
    }
    CHECK(glnn_matrix_upload(a->ctx, a->gradient, NULL, a->slopes, 0));
    CHECK(glnn_network_backward(a->network, a->gradient, NULL));
    CHECK(glnn_network_update(a->network, 0.02f));
}

static void end_round(pole_agent *a)
{
    double sum = 0;
    for (int i = 0; i < POLE_CARTS; ++i)
        sum += a->lengths[i];
    a->mean_length = sum / POLE_CARTS;
    weigh(a);
    learn(a);
    begin_round(a);
}

bool pole_step(pole_agent *a)
{
    float probabilities[POLE_CARTS];
    const int first = a->moment * POLE_CARTS;
    for (int i = 0; i < POLE_CARTS; ++i)
        remember(a, i);
    CHECK(glnn_matrix_upload(a->ctx, a->now, NULL, &a->seen[first][0], 0));
    CHECK(glnn_network_forward(a->network, a->now, false, a->scores));
    CHECK(glnn_matrix_download(a->ctx, a->scores, NULL, probabilities, 0));
    for (int i = 0; i < POLE_CARTS; ++i) {
        const bool right = random_fraction(&a->random) < probabilities[i];
        a->pushed[first + i] = right;
        if (!move(&a->carts[i], right ? 10 : -10) && a->lengths[i] > a->moment)
            a->lengths[i] = a->moment + 1;
    }
    const bool is_over = ++a->moment == POLE_MOMENTS;
    if (is_over)
        end_round(a);
    return is_over;
}
