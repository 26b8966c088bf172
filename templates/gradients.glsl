/* The sums of gradients by direction around 8 x 8 points of an image, normalised. */
float NAME_gradient_pixel(int height, int width, int image, int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height ? NAME_numbers[image + y * width + x] : 0.0;
}

float NAME_gradient_weight(int place, int point, int size)
{
    int centre = (2 * point + 1) * size / 16;
    int reach = int(ceil(0.168809309 * float(size)));
    float away = float(8 * (2 * place + 1) - (2 * point + 1) * size) / float(2 * size);
    return place < centre - reach || place > centre + reach ? 0.0
                                                            : exp(-2.46740110 * away * away);
}

/* The gradient in the directions 0, 90, 180 and 270 degrees, and in those 45 degrees after. */
void NAME_gradient_parts(int height, int width, int image, int x, int y, out vec4 straight,
                         out vec4 oblique)
{
    float a = 0.0, b = 0.0;
    for (int k = -1; k <= 1; ++k) {
        float c = k == 0 ? 2.0 : 1.0;
        a += c * (NAME_gradient_pixel(height, width, image, x + 1, y + k) -
                  NAME_gradient_pixel(height, width, image, x - 1, y + k));
        b += c * (NAME_gradient_pixel(height, width, image, x + k, y + 1) -
                  NAME_gradient_pixel(height, width, image, x + k, y - 1));
    }
    vec4 along = vec4(a, b, -a, -b), across = vec4(b, -a, -b, a);
    straight = max(along - abs(across), 0.0);
    oblique = 1.41421356 * max(min(along, across), 0.0);
}

void NAME_gradients(int height, int width, int image, int y)
{
    float total = 0.0;
    for (int i = 0; i < 512; ++i)
        NAME_numbers[y + i] = 0.0;
    for (int pixel = 0; pixel < (height + 2) * (width + 2); ++pixel) {
        int column = pixel % (width + 2) - 1, row = pixel / (width + 2) - 1;
        vec4 straight, oblique;
        NAME_gradient_parts(height, width, image, column, row, straight, oblique);
        for (int point = 0; point < 64; ++point) {
            float weight = NAME_gradient_weight(row, point / 8, height) *
                           NAME_gradient_weight(column, point % 8, width);
            for (int d = 0; d < 4 && weight > 0.0; ++d) {
                NAME_numbers[y + 8 * point + 2 * d] += weight * straight[d];
                NAME_numbers[y + 8 * point + 2 * d + 1] += weight * oblique[d];
            }
        }
    }
    for (int i = 0; i < 512; ++i)
        total += NAME_numbers[y + i] / 512.0;
    for (int i = 0; i < 512; ++i)
        NAME_numbers[y + i] = total > 0.0 ? sqrt(NAME_numbers[y + i] / total) : 0.0;
}
