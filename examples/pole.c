/* pole - a network learns to balance a pole by policy gradient.
 *
 * A cart on a track carries a pole that falls over. In each of 200 moments the network sees
 * position and speed of the cart, and angle and angular speed of the pole, and pushes the cart to
 * the right with the probability that it gives. Nobody tells it which push is right: after an
 * attempt, pushes that were followed by more moments than usual become more probable (Williams,
 * *Simple statistical gradient-following algorithms*, 1992). The program computes the
 * derivative of this loss by the outputs itself.
 *
 *     build/examples/pole [ROUNDS]
 *
 * The physics are those of Barto, Sutton and Anderson (1983). */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/random.h"

enum { CARTS = 16, MOMENTS = 200, ROUNDS = 40, NUMBERS = 4, SAMPLES = CARTS * MOMENTS };

typedef struct cart {
    float position, speed, angle, turning;
} cart;

/* Moves a cart by 20 ms; false if it left the track or its pole fell. */
static bool move(cart *c, float force)
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

/* All attempts of a round. Sample t * CARTS + i is moment t of cart i. */
typedef struct round {
    cart carts[CARTS];
    int lengths[CARTS]; /* moments until it ended */
    float seen[SAMPLES][NUMBERS], pushed[SAMPLES], weight[SAMPLES];
} attempts;

typedef struct agent {
    glnn_context *ctx;
    glnn_learner *network;
    glnn_matrix *now, *scores;                /* of one moment */
    glnn_matrix *all, *all_scores, *gradient; /* of a round    */
} agent;

static glnn_matrix *create(glnn_context *ctx, int rows, int columns)
{
    glnn_matrix *made;
    CHECK(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns}, &made));
    return made;
}

static agent create_agent(glnn_context *ctx)
{
    agent a = {.ctx = ctx,
               .now = create(ctx, CARTS, NUMBERS),
               .scores = create(ctx, CARTS, 1),
               .all = create(ctx, SAMPLES, NUMBERS),
               .all_scores = create(ctx, SAMPLES, 1),
               .gradient = create(ctx, SAMPLES, 1)};
    const glnn_network_desc desc = {.features = NUMBERS,
                                    .layers = {{.units = 16, .activation = GLNN_ACTIVATION_TANH},
                                               {.units = 1, .activation = GLNN_ACTIVATION_SIGMOID}},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                                    .capacity = SAMPLES,
                                    .seed = 1};
    CHECK(glnn_network_create(ctx, &desc, &a.network));
    return a;
}

static void destroy_agent(agent *a)
{
    glnn_matrix *const matrices[] = {a->now, a->scores, a->all, a->all_scores, a->gradient};
    for (int i = 0; i < 5; ++i)
        glnn_matrix_destroy(matrices[i]);
    glnn_learner_destroy(a->network);
}

static void remember(attempts *of, int moment, int i)
{
    const cart *c = &of->carts[i];
    const float scaled[NUMBERS] = {c->position, c->speed, 10 * c->angle, c->turning};
    for (int k = 0; k < NUMBERS; ++k)
        of->seen[moment * CARTS + i][k] = scaled[k];
}

/* Lets all carts run until the last one has ended. */
static void attempt(agent *a, attempts *of, uint64_t *random)
{
    float probabilities[CARTS];
    for (int i = 0; i < CARTS; ++i) {
        of->carts[i] = (cart){.angle = 0.1f * (random_fraction(random) - 0.5f)};
        of->lengths[i] = MOMENTS;
    }
    for (int t = 0; t < MOMENTS; ++t) {
        for (int i = 0; i < CARTS; ++i)
            remember(of, t, i);
        CHECK(glnn_matrix_upload(a->ctx, a->now, NULL, &of->seen[t * CARTS][0], 0));
        CHECK(glnn_network_forward(a->network, a->now, false, a->scores));
        CHECK(glnn_matrix_download(a->ctx, a->scores, NULL, probabilities, 0));
        for (int i = 0; i < CARTS; ++i) {
            const bool right = random_fraction(random) < probabilities[i];
            of->pushed[t * CARTS + i] = right;
            if (!move(&of->carts[i], right ? 10 : -10) && of->lengths[i] > t)
                of->lengths[i] = t + 1;
        }
    }
}

/* How much longer an attempt went on than usual at a moment, in units of the spread. */
static void weigh(attempts *of)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int n = 0; n < SAMPLES; ++n) {
        const int left = of->lengths[n % CARTS] - n / CARTS;
        of->weight[n] = left > 0 ? 1 - powf(0.98f, (float)left) : 0;
        count += left > 0;
        sum += (double)of->weight[n];
        squares += (double)of->weight[n] * (double)of->weight[n];
    }
    const double mean = sum / count, spread = sqrt(squares / count - mean * mean) + 1e-3;
    for (int n = 0; n < SAMPLES; ++n)
        of->weight[n] = of->lengths[n % CARTS] > n / CARTS
                            ? (float)((of->weight[n] - mean) / (spread * count))
                            : 0;
}

/* The loss of a sample is -weight log(p), where p is the probability of what was done. The output y
 * is that of a push to the right, so the derivative by y is -weight / y or weight / (1 - y). */
static void learn(agent *a, attempts *of)
{
    static float gradient[SAMPLES];
    CHECK(glnn_matrix_upload(a->ctx, a->all, NULL, &of->seen[0][0], 0));
    CHECK(glnn_network_forward(a->network, a->all, true, a->all_scores));
    CHECK(glnn_matrix_download(a->ctx, a->all_scores, NULL, gradient, 0));
    for (int n = 0; n < SAMPLES; ++n) {
        const float y = fminf(fmaxf(gradient[n], 1e-3f), 1 - 1e-3f);
        gradient[n] = of->pushed[n] > 0 ? -of->weight[n] / y : of->weight[n] / (1 - y);
    }
    CHECK(glnn_matrix_upload(a->ctx, a->gradient, NULL, gradient, 0));
    CHECK(glnn_network_backward(a->network, a->gradient, NULL));
    CHECK(glnn_network_update(a->network, 0.02f));
}

static double mean_length(const attempts *of)
{
    double sum = 0;
    for (int i = 0; i < CARTS; ++i)
        sum += of->lengths[i];
    return sum / CARTS;
}

int main(int argc, char **argv)
{
    static attempts round;
    const int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    uint64_t random = 1;
    glnn_context *ctx;
    REQUIRE(rounds > 0 || refuse("%s: the rounds have to be a number above 0", argv[1]));
    CHECK(glnn_context_create(NULL, &ctx));
    agent a = create_agent(ctx);
    for (int r = 1; r <= rounds; ++r) {
        attempt(&a, &round, &random);
        if (r % 10 == 0 || r == 1)
            printf("round %3d   the pole stood for %5.1f of %d moments\n", r, mean_length(&round),
                   MOMENTS);
        weigh(&round);
        learn(&a, &round);
    }
    destroy_agent(&a);
    glnn_context_destroy(ctx);
    return output_status();
}
