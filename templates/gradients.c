#include <math.h>

/* The sums of gradients by direction around 8 x 8 points of an image, normalised. */
static float gradient_pixel(int height, int width, const float *image, int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0;
}

static float gradient_weight(int place, int point, int size)
{
    const int centre = (2 * point + 1) * size / 16;
    const int reach = (int)ceil(0.16880930927945739 * size);
    const float away = (float)(8 * (2 * place + 1) - (2 * point + 1) * size) / (float)(2 * size);
    return place < centre - reach || place > centre + reach ? 0 : expf(-2.46740110f * away * away);
}

static void gradient_parts(int height, int width, const float *image, int x, int y, float parts[8])
{
    const float root = 1.41421356f;
    float g[2] = {0, 0};
    for (int k = -1; k <= 1; ++k) {
        const float c = k == 0 ? 2 : 1;
        g[0] += c * (gradient_pixel(height, width, image, x + 1, y + k) -
                     gradient_pixel(height, width, image, x - 1, y + k));
        g[1] += c * (gradient_pixel(height, width, image, x + k, y + 1) -
                     gradient_pixel(height, width, image, x + k, y - 1));
    }
    for (int d = 0; d < 8; d += 2) {
        const float along = d == 0 ? g[0] : d == 2 ? g[1] : d == 4 ? -g[0] : -g[1];
        const float across = d == 0 ? g[1] : d == 2 ? -g[0] : d == 4 ? -g[1] : g[0];
        parts[d] = fmaxf(along - fabsf(across), 0);
        parts[d + 1] = root * fmaxf(fminf(along, across), 0);
    }
}

static void add_gradient(float weight, const float parts[8], float *sums)
{
    for (int d = 0; d < 8; ++d)
        sums[d] += weight * parts[d];
}

static void gradients(int height, int width, const float *image, float *y)
{
    float parts[8], total = 0;
    for (int i = 0; i < 512; ++i)
        y[i] = 0;
    for (int pixel = 0; pixel < (height + 2) * (width + 2); ++pixel) {
        const int column = pixel % (width + 2) - 1, row = pixel / (width + 2) - 1;
        gradient_parts(height, width, image, column, row, parts);
        for (int point = 0; point < 64; ++point) {
            const float weight = gradient_weight(row, point / 8, height);
            if (weight > 0)
                add_gradient(weight * gradient_weight(column, point % 8, width), parts,
                             y + 8 * point);
        }
    }
    for (int i = 0; i < 512; ++i)
        total += y[i] / 512;
    for (int i = 0; i < 512; ++i)
        y[i] = total > 0 ? sqrtf(y[i] / total) : 0;
}
