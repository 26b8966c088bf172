/* pole - a network learns to balance a pole by policy gradient.
 *
 * A cart on a track carries a pole that falls over. In each of 200 moments the network sees
 * position and speed of the cart, and angle and angular speed of the pole, and pushes the cart to
 * the right with the probability that it gives. Nobody tells it which push is right: after an
 * attempt, pushes that were followed by more moments than usual become more probable (Williams,
 * *Simple statistical gradient-following algorithms*, 1992). The program computes the
 * derivative of this loss by the outputs itself, in common/pole.c.
 *
 *     build/examples/pole [ROUNDS]
 *
 * `guest pole` shows the same in a window. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/pole.h"

enum { ROUNDS = 40 };

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    glnn_context *ctx;
    REQUIRE(rounds > 0 || refuse("%s: the rounds have to be a number above 0", argv[1]));
    CHECK(glnn_context_create(NULL, &ctx));
    pole_agent *agent = pole_create(ctx);
    for (int r = 1; r <= rounds; ++r) {
        while (!pole_step(agent))
            continue;
        if (r % 10 == 0 || r == 1)
            printf("round %3d   the pole stood for %5.1f of %d moments\n", r, agent->mean_length,
                   POLE_MOMENTS);
    }
    pole_destroy(agent);
    glnn_context_destroy(ctx);
    return output_status();
}
