/* neighbours - colours each place of the plane by the class of its five nearest points. */
#include <glnn/glnn.h>

#include "common/check.h"

enum { SIDE = 256, POINTS = 96, CLASSES = 3 };

/* The share of class `class` among the nearest points, of which point i has class i mod CLASSES. A
 * list of the nearest distances stays sorted by insertion. */
static const char source[] =
    "#define K 5\n"
    "float element(int row, int column)\n"
    "{\n"
    "    float distances[K];\n"
    "    int nearest[K];\n"
    "    for (int k = 0; k < K; ++k)\n"
    "        distances[k] = 1e30;\n"
    "    vec2 place = vec2(row, column) / float(output_columns);\n"
    "    for (int i = 0; i < P_rows; ++i) {\n"
    "        float d = distance(place, vec2(P_at(i, 0), P_at(i, 1)));\n"
    "        int point = i;\n"
    "        for (int k = 0; k < K; ++k)\n"
    "            if (d < distances[k]) {\n"
    "                float former = distances[k];\n"
    "                int former_point = nearest[k];\n"
    "                distances[k] = d;\n"
    "                nearest[k] = point;\n"
    "                d = former;\n"
    "                point = former_point;\n"
    "            }\n"
    "    }\n"
    "    float votes = 0.0;\n"
    "    for (int k = 0; k < K; ++k)\n"
    "        votes += nearest[k] % CLASSES == wanted ? 1.0 / float(K) : 0.0;\n"
    "    return distances[0] < 0.01 ? 1.0 : votes;\n"
    "}\n";

int main(int argc, char **argv)
{
    const glnn_kernel_desc kernel_desc = {.name = "neighbours",
                                          .source = source,
                                          .operands = {"P"},
                                          .uniforms = {"int wanted"},
                                          .options = {"CLASSES"}};
    /* Loops are long, so that each fragment should compute one element. */
    const glnn_matrix_desc desc = {
        .rows = SIDE, .columns = SIDE, .layout = GLNN_LAYOUT_UNPACKED, .name = "votes"};
    const glnn_matrix_desc points_desc = {.rows = POINTS, .columns = 2, .name = "points"};
    static float picture[CLASSES][SIDE * SIDE];
    glnn_context *ctx;
    glnn_kernel *kernel;
    glnn_matrix *points, *votes;
    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_kernel_create(ctx, &kernel_desc, &kernel));
    CHECK(glnn_matrix_create(ctx, &points_desc, &points));
    CHECK(glnn_matrix_create(ctx, &desc, &votes));
    CHECK(glnn_fill_uniform(ctx, 7, 0, 1, points));
    for (int i = 0; i < CLASSES; ++i) { /* red, green and blue */
        const glnn_kernel_run_desc run = {
            .operands = {{.matrix = points}}, .uniforms = {i}, .options = {CLASSES}};
        CHECK(glnn_kernel_run(kernel, &run, votes));
        CHECK(glnn_matrix_download(ctx, votes, NULL, picture[i], 0));
    }
    CHECK(glnn_image_write(argc > 1 ? argv[1] : "neighbours.png", CLASSES, SIDE, SIDE, picture[0],
                           0, 1));
    glnn_matrix_destroy(points);
    glnn_matrix_destroy(votes);
    glnn_kernel_destroy(kernel);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
