/* The numbers of a frame: y + b * frames is the logarithm of the energy of band b. A bin of the
 * Fourier transform is in the band that rises at it and in the one before. */
void NAME_find_bands(int frames, int window_length, int bands, float least, int window, int cosine,
                     int sine, int band, int height, int x, int y)
{
    for (int b = 0; b < bands; ++b)
        NAME_numbers[y + b * frames] = least;
    for (int k = 1; 2 * k < window_length; ++k) {
        int b = int(NAME_constant(band + k - 1));
        float real = 0.0, imaginary = 0.0;
        for (int n = 0, turn = 0; n < window_length; ++n) {
            float value = NAME_constant(window + n) * NAME_numbers[x + n];
            real += value * NAME_constant(cosine + turn);
            imaginary += value * NAME_constant(sine + turn);
            turn += k;
            turn -= turn >= window_length ? window_length : 0;
        }
        float power = real * real + imaginary * imaginary;
        if (b < bands)
            NAME_numbers[y + b * frames] += NAME_constant(height + 2 * k - 2) * power;
        if (b > 0)
            NAME_numbers[y + (b - 1) * frames] += NAME_constant(height + 2 * k - 1) * power;
    }
    for (int b = 0; b < bands; ++b)
        NAME_numbers[y + b * frames] = log(NAME_numbers[y + b * frames]);
}

/* y = the logarithms of the energies of bands x frames, with mean 0 and variance 1. */
void NAME_spectrogram(int frames, int window_length, int hop, int bands, float least, float epsilon,
                      int window, int cosine, int sine, int band, int height, int x, int y)
{
    int count = bands * frames;
    float mean = 0.0, squares = 0.0;
    for (int t = 0; t < frames; ++t)
        NAME_find_bands(frames, window_length, bands, least, window, cosine, sine, band, height,
                        x + t * hop, y + t);
    for (int i = 0; i < count; ++i)
        mean += NAME_numbers[y + i] / float(count);
    for (int i = 0; i < count; ++i)
        squares += (NAME_numbers[y + i] - mean) * (NAME_numbers[y + i] - mean);
    float scale = inversesqrt(squares / float(count) + epsilon);
    for (int i = 0; i < count; ++i)
        NAME_numbers[y + i] = (NAME_numbers[y + i] - mean) * scale;
}
