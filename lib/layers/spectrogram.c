/* The spectrogram layer: windows of a sequence, their discrete Fourier transform, the energies of
 * mel bands, logarithms, and normalisation.
 *
 * A sequence in rows as long as the hop is an image of height 1, whose pixels have `hop` channels.
 * So windows of the sequence are windows of the image, and the transform is a convolution with
 * constant weights. Nothing is copied for windows that overlap. */
#include "layers/spectrogram.h"

#include "layers/batch_norm.h"
#include "layers/layer_norm.h"
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/gemm/product.h"
#include "ops/map.h"
#include "pass/list.h"

#include <glnn/matrix.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* In `work`: the spectra with real and imaginary parts, the logarithms, and sums of samples. */
enum { SPECTRA, LOGARITHMS, MOMENTS, SUMS };

/* In `constants`: the transform; the triangles, and the floor in a row after them; 1 and 0 of each
 * band, for the normalisation. */
enum { TRANSFORM, TRIANGLES, UNITS };

enum { BACKWARD, ACTIVATION };
enum { HOP, BLOCKS, LENGTH };
enum { BANDS, FRAMES };

static const glnn__kernel sequence_kernel = {
    .name = "layers/sequence",
    .operands = {"X", "Y"},
    .unviewed = 1,
    .options = {[BACKWARD] = "BACKWARD", [ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
    .constants = {[HOP] = "HOP", [BLOCKS] = "BLOCKS", [LENGTH] = "LENGTH"},
};

static const glnn__kernel power_kernel = {
    .name = "layers/power",
    .operands = {"X", "D"},
    .unviewed = 2,
    .options = {[BACKWARD] = "BACKWARD"},
    .constants = {"BINS"},
};

static const glnn__kernel bands_kernel = {
    .name = "layers/bands",
    .operands = {"X"},
    .unviewed = 1,
    .options = {[BACKWARD] = "BACKWARD"},
    .constants = {[BANDS] = "BANDS", [FRAMES] = "FRAMES"},
};

/* ---- Shapes */

glnn__spectrogram glnn__spectrogram_of(const glnn__layer *layer)
{
    const glnn_layer_desc *desc = &layer->desc;
    return (glnn__spectrogram){.length = glnn__shape_size(layer->input),
                               .window = desc->kernel.width,
                               .hop = desc->stride.width,
                               .frames = layer->out.shape.width,
                               .bands = desc->units,
                               .bins = (desc->kernel.width - 1) / 2};
}

/* The pixels that a window reaches over, and those of a sequence. */
static int taps_of(const glnn__spectrogram *of)
{
    return glnn__ceil_div(of->window, of->hop);
}

static int blocks_of(const glnn__spectrogram *of)
{
    return of->frames + taps_of(of) - 1;
}

/* Columns of the real parts of a spectrum; the last ones may be padding. */
static int columns_of(const glnn__spectrogram *of)
{
    return glnn__round_up(of->bins, 4);
}

static void fill_defaults(glnn_layer_desc *desc)
{
    enum { BANDS_BY_DEFAULT = 40 };
    const double rate = desc->sample_rate = desc->sample_rate ? desc->sample_rate : 16000;
    const int hop = (int)(rate / 100 + 0.5);
    desc->floor = desc->floor > 0 ? desc->floor : 1e-8f;
    desc->units = desc->units ? desc->units : BANDS_BY_DEFAULT;
    desc->kernel.height = desc->kernel.height ? desc->kernel.height : 1;
    desc->kernel.width = desc->kernel.width ? desc->kernel.width : (int)(rate / 40 + 0.5);
    desc->stride.height = desc->stride.height ? desc->stride.height : 1;
    desc->stride.width = desc->stride.width ? desc->stride.width : hop > 0 ? hop : 1;
}

static glnn_status check_numbers(const glnn__layer *layer)
{
    const glnn_layer_desc *desc = &layer->desc;
    if (desc->kernel.height != 1 || desc->stride.height != 1)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d: kernel.height is %d and stride.height is %d; those of a "
                          "spectrogram are 1",
                          layer->number, desc->kernel.height, desc->stride.height);
    if (desc->kernel.width < 3)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d: kernel.width is %d; a spectrogram has windows of at least 3 "
                          "samples",
                          layer->number, desc->kernel.width);
    return GLNN_OK;
}

static glnn_status check_sequence(const glnn__layer *layer)
{
    const glnn_shape *in = &layer->input;
    const int window = layer->desc.kernel.width, length = glnn__shape_size(*in);
    if (in->height > 1 || (in->channels > 1 && in->width > 1))
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: a spectrogram takes one sequence, but its input has %d "
                          "channels of %d x %d",
                          layer->number, in->channels, in->height, in->width);
    if (window > length)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: windows of %d samples do not fit in a sequence of %d",
                          layer->number, window, length);
    return GLNN_OK;
}

static double mel(double frequency)
{
    return 2595 * log10(1 + frequency / 700);
}

/* The frequency of corner c of the triangles. */
static double corner(const glnn__layer *layer, int c)
{
    const double top = mel(layer->desc.sample_rate / 2.0);
    return 700 * (pow(10, top * c / (layer->desc.units + 1) / 2595) - 1);
}

/* A band without a bin would have the same number in all frames. */
static glnn_status check_bands(const glnn__layer *layer)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const double step = (double)layer->desc.sample_rate / of.window;
    for (int b = 0; b < of.bands; ++b) {
        const double first = floor(corner(layer, b) / step) + 1;
        if (first > of.bins || first * step >= corner(layer, b + 2))
            return glnn__fail(GLNN_E_ARG,
                              "layer %d: band %d of %d has none of the %d frequencies that windows "
                              "of %d samples tell apart; take fewer units or longer windows",
                              layer->number, b, of.bands, of.bins, of.window);
    }
    return GLNN_OK;
}

/* The most numbers of the Fourier transform, 256 MiB. They are computed, not loaded, so without
 * this limit a small file could take all memory. */
#define MOST_NUMBERS (1 << 26)

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    const glnn_layer_desc *desc = &layer->desc;
    fill_defaults(&layer->desc);
    GLNN__TRY(check_numbers(layer));
    GLNN__TRY(check_sequence(layer));
    const int frames =
        (glnn__shape_size(layer->input) - desc->kernel.width) / desc->stride.width + 1;
    layer->out.shape = (glnn_shape){1, desc->units, frames};
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const double numbers = 2.0 * (of.bins + 4) * (of.window + (double)of.hop + 4);
    if (glnn__shape_size(layer->out.shape) == 0)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: a spectrogram of %d bands and %d frames is too large",
                          layer->number, desc->units, frames);
    if (numbers > MOST_NUMBERS)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: windows of %d samples with a hop of %d take a transform of "
                          "%.0f numbers; there can be %d",
                          layer->number, of.window, of.hop, numbers, MOST_NUMBERS);
    return check_bands(layer);
}

/* ---- Constants */

double glnn__spectrogram_window(const glnn__spectrogram *of, int n)
{
    return (1 - cos(2 * PI * n / of->window)) / of->window;
}

glnn__mel_bin glnn__mel_bin_of(const glnn__layer *layer, int bin)
{
    const glnn_layer_desc *desc = &layer->desc;
    const double f = (double)bin * desc->sample_rate / desc->kernel.width;
    int c = (int)(mel(f) / mel(desc->sample_rate / 2.0) * (desc->units + 1));
    c -= c > desc->units || corner(layer, c) > f;
    const double low = corner(layer, c), high = corner(layer, c + 1);
    return (glnn__mel_bin){c, (float)((f - low) / (high - low)),
                           (float)((high - f) / (high - low))};
}

/* Numbers that become a constant of the layer. */
typedef struct table {
    int rows, columns;
    float *values;
} table;

static glnn_status make_table(const glnn__layer *layer, int rows, int columns, table *out)
{
    *out = (table){rows, columns, calloc((size_t)rows * (size_t)columns, sizeof(float))};
    return out->values ? GLNN_OK
                       : glnn__fail(GLNN_E_NOMEM, "layer %d: no memory for constants of %d x %d",
                                    layer->number, rows, columns);
}

/* Uploads and frees a table. */
static glnn_status keep(glnn_context *ctx, glnn_layout layout, const char *name, const table *from,
                        glnn_matrix **out)
{
    glnn_status status =
        glnn__matrix_create_zero(ctx, layout, from->rows, from->columns, name, out);
    if (!status)
        status = glnn_matrix_upload(ctx, *out, NULL, from->values, 0);
    free(from->values);
    return status;
}

/* A row for each number of a window, padded to whole pixels of whole column groups. */
static glnn_status make_transform(const glnn__layer *layer, table *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const int pixel = glnn__round_up(of.hop, 4), imaginary = columns_of(&of);
    GLNN__TRY(make_table(layer, taps_of(&of) * pixel, 2 * imaginary, out));
    for (int n = 0; n < of.window; ++n) {
        const double height = glnn__spectrogram_window(&of, n);
        float *row =
            out->values + (size_t)(n / of.hop * pixel + n % of.hop) * 2 * (size_t)imaginary;
        for (int k = 1; k <= of.bins; ++k) {
            const double angle = 2 * PI * (double)((int64_t)k * n % of.window) / of.window;
            row[k - 1] = (float)(height * cos(angle));
            row[imaginary + k - 1] = (float)(height * -sin(angle));
        }
    }
    return GLNN_OK;
}

static glnn_status make_triangles(const glnn__layer *layer, table *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    GLNN__TRY(make_table(layer, columns_of(&of) + 1, of.bands, out));
    for (int k = 1; k <= of.bins; ++k) {
        const glnn__mel_bin bin = glnn__mel_bin_of(layer, k);
        float *row = out->values + (size_t)(k - 1) * (size_t)of.bands;
        if (bin.band < of.bands)
            row[bin.band] = bin.rising;
        if (bin.band > 0)
            row[bin.band - 1] = bin.falling;
    }
    for (int b = 0; b < of.bands; ++b)
        out->values[(size_t)columns_of(&of) * (size_t)of.bands + (size_t)b] = layer->desc.floor;
    return GLNN_OK;
}

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    glnn_matrix **to = layer->constants;
    table values;
    GLNN__TRY(make_transform(layer, &values));
    GLNN__TRY(keep(ctx, desc->layout, "Fourier transform", &values, &to[TRANSFORM]));
    GLNN__TRY(make_triangles(layer, &values));
    GLNN__TRY(keep(ctx, desc->layout, "mel bands", &values, &to[TRIANGLES]));
    GLNN__TRY(
        glnn__matrix_create_zero(ctx, desc->layout, 2, layer->desc.units, "units", &to[UNITS]));
    return glnn__norm_set_row(ctx, to[UNITS], 0, 1);
}

/* ---- Passes */

/* A matrix with so many rows for each sample. */
static glnn_status create_rows(glnn_context *ctx, const glnn__layer *layer, int samples, int rows,
                               int columns, const char *name, glnn_matrix **out)
{
    if ((int64_t)samples * rows >= INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "layer %d: %s of %d samples have too many rows",
                          layer->number, name, samples);
    return glnn__matrix_create_narrow(ctx, layer->constants[TRANSFORM]->layout,
                                      GLNN_STORAGE_FLOAT32, samples * rows, columns, name, out);
}

/* Without a delta there is no backward pass. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, glnn__ceil_div(of.bands, 4)));
    GLNN__TRY(create_rows(ctx, layer, samples, of.frames, 2 * columns_of(&of), "spectra",
                          &layer->work[SPECTRA]));
    GLNN__TRY(create_rows(ctx, layer, samples, of.frames, of.bands, "logarithms",
                          &layer->work[LOGARITHMS]));
    GLNN__TRY(glnn__sample_norm_create(ctx, samples, &layer->work[MOMENTS]));
    return layer->out.delta ? glnn__sample_norm_create(ctx, samples, &layer->work[SUMS]) : GLNN_OK;
}

/* The samples that the matrices have room for. */
static int room_of(const glnn__layer *layer)
{
    return layer->work[MOMENTS]->rows;
}

static glnn__sample_norm norm_of(const glnn__layer *layer)
{
    return (glnn__sample_norm){.rows = layer->out.shape.width,
                               .columns = layer->desc.units,
                               .parameters = layer->constants[UNITS],
                               .moments = layer->work[MOMENTS],
                               .sums = layer->work[SUMS]};
}

/* Windows of the pixels, or backward pixels of the windows. */
static glnn__window window_of(const glnn__spectrogram *of, glnn__window_mode mode)
{
    const bool is_backward = mode == GLNN__WINDOW_BACKWARD;
    const glnn__sides one = {1, 1}, frames = {1, of->frames}, pixels = {1, blocks_of(of)};
    return (glnn__window){.mode = (int)mode,
                          .image = is_backward ? frames : pixels,
                          .grid = is_backward ? pixels : frames,
                          .kernel = {1, taps_of(of)},
                          .stride = one,
                          .dilation = one,
                          .period = glnn__window_period(one, one),
                          .groups = is_backward ? columns_of(of) / 2 : glnn__ceil_div(of->hop, 4)};
}

/* x -> out, or backward. */
static glnn_status run_sequence(const glnn__flow *flow, const glnn__layer *layer, bool is_backward,
                                const glnn_matrix *x, const glnn__signal *input, glnn_matrix *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const int constants[GLNN__MAX_CONSTANTS] = {
        [HOP] = of.hop, [BLOCKS] = blocks_of(&of), [LENGTH] = of.length};
    const bool has_map = is_backward && input->activation != GLNN_MAP_IDENTITY;
    return glnn__pass_run(
        flow->ctx, &(glnn__pass){
                       .kernel = &sequence_kernel,
                       .operands = {{.matrix = x}, {.matrix = has_map ? input->values : NULL}},
                       .output = out,
                       .options = {[BACKWARD] = is_backward,
                                   [ACTIVATION] = has_map ? input->activation : GLNN_MAP_IDENTITY},
                       .constants = constants,
                   });
}

static glnn_status run_power(const glnn__flow *flow, const glnn__layer *layer,
                             const glnn_matrix *delta, glnn_matrix *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const int constants[GLNN__MAX_CONSTANTS] = {columns_of(&of)};
    return glnn__pass_run(flow->ctx,
                          &(glnn__pass){
                              .kernel = &power_kernel,
                              .operands = {{.matrix = layer->work[SPECTRA]}, {.matrix = delta}},
                              .output = out,
                              .options = {[BACKWARD] = delta != NULL},
                              .constants = constants,
                          });
}

static glnn_status run_bands(const glnn__flow *flow, const glnn__layer *layer, bool is_backward,
                             const glnn_matrix *x, glnn_matrix *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    const int constants[GLNN__MAX_CONSTANTS] = {[BANDS] = of.bands, [FRAMES] = of.frames};
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &bands_kernel,
                                         .operands = {{.matrix = x}},
                                         .output = out,
                                         .options = {[BACKWARD] = is_backward},
                                         .constants = constants,
                                     });
}

static glnn_status find_spectra(const glnn__flow *flow, const glnn__layer *layer,
                                const glnn__signal *input)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    glnn_matrix *pixels;
    GLNN__TRY(
        create_rows(flow->ctx, layer, room_of(layer), blocks_of(&of), of.hop, "pixels", &pixels));
    glnn_status status = run_sequence(flow, layer, false, input->values, input, pixels);
    if (!status)
        status = glnn__product_run(
            flow->ctx, &(glnn__product){.a = pixels,
                                        .b = layer->constants[TRANSFORM],
                                        .c = layer->work[SPECTRA],
                                        .alpha = {.f = 1},
                                        .window = window_of(&of, GLNN__WINDOW_FORWARD)});
    glnn__scratch_destroy(pixels);
    return status;
}

static glnn_status find_logarithms(const glnn__flow *flow, const glnn__layer *layer)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    glnn_matrix *powers;
    GLNN__TRY(create_rows(flow->ctx, layer, room_of(layer), of.frames, columns_of(&of), "powers",
                          &powers));
    glnn_status status = run_power(flow, layer, NULL, powers);
    if (!status)
        status = glnn__product_run(flow->ctx, &(glnn__product){.a = powers,
                                                               .b = layer->constants[TRIANGLES],
                                                               .c = layer->work[LOGARITHMS],
                                                               .alpha = {.f = 1},
                                                               .augment = true,
                                                               .activation = GLNN_MAP_LOG});
    glnn__scratch_destroy(powers);
    return status;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const glnn__sample_norm norm = norm_of(layer);
    glnn_matrix *normalised;
    GLNN__TRY(find_spectra(flow, layer, input));
    GLNN__TRY(find_logarithms(flow, layer));
    GLNN__TRY(
        glnn__matrix_create_like(layer->work[LOGARITHMS], "normalised logarithms", &normalised));
    glnn_status status = glnn__sample_norm_forward(flow->ctx, &norm, layer->work[LOGARITHMS],
                                                   GLNN_MAP_IDENTITY, normalised);
    if (!status)
        status = run_bands(flow, layer, false, normalised, layer->out.values);
    glnn__scratch_destroy(normalised);
    return status;
}

/* The delta of the energies. */
static glnn_status find_energies_delta(const glnn__flow *flow, const glnn__layer *layer,
                                       glnn_matrix *out)
{
    const glnn__sample_norm norm = norm_of(layer);
    glnn_matrix *frames;
    GLNN__TRY(glnn__matrix_create_like(out, "delta of frames", &frames));
    glnn_status status = run_bands(flow, layer, true, layer->out.delta, frames);
    if (!status)
        status = glnn__sample_norm_backward(flow->ctx, &norm, flow->samples, frames,
                                            layer->work[LOGARITHMS], GLNN_MAP_LOG, out);
    glnn__scratch_destroy(frames);
    return status;
}

/* The delta of the spectra from that of the energies. */
static glnn_status find_spectra_delta(const glnn__flow *flow, const glnn__layer *layer,
                                      const glnn_matrix *energies, glnn_matrix *out)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    glnn_matrix *powers;
    GLNN__TRY(create_rows(flow->ctx, layer, room_of(layer), of.frames, columns_of(&of),
                          "delta of powers", &powers));
    glnn_status status =
        glnn__product_run(flow->ctx, &(glnn__product){.a = energies,
                                                      .b = layer->constants[TRIANGLES],
                                                      .c = powers,
                                                      .alpha = {.f = 1},
                                                      .transpose_b = true});
    if (!status)
        status = run_power(flow, layer, powers, out);
    glnn__scratch_destroy(powers);
    return status;
}

/* The delta of the input from that of the spectra. */
static glnn_status find_input_delta(const glnn__flow *flow, const glnn__layer *layer,
                                    const glnn_matrix *spectra, const glnn__signal *input)
{
    const glnn__spectrogram of = glnn__spectrogram_of(layer);
    glnn_matrix *pixels;
    GLNN__TRY(create_rows(flow->ctx, layer, room_of(layer), blocks_of(&of), of.hop,
                          "delta of pixels", &pixels));
    glnn_status status = glnn__product_run(
        flow->ctx, &(glnn__product){.a = spectra,
                                    .b = layer->constants[TRANSFORM],
                                    .c = pixels,
                                    .alpha = {.f = 1},
                                    .transpose_b = true,
                                    .window = window_of(&of, GLNN__WINDOW_BACKWARD)});
    if (!status)
        status = run_sequence(flow, layer, true, pixels, input, input->delta);
    glnn__scratch_destroy(pixels);
    return status;
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    glnn_matrix *energies = NULL, *spectra = NULL;
    glnn_status status =
        glnn__matrix_create_like(layer->work[LOGARITHMS], "delta of energies", &energies);
    if (!status)
        status = glnn__matrix_create_like(layer->work[SPECTRA], "delta of spectra", &spectra);
    if (!status)
        status = find_energies_delta(flow, layer, energies);
    if (!status)
        status = find_spectra_delta(flow, layer, energies, spectra);
    if (!status)
        status = find_input_delta(flow, layer, spectra, input);
    glnn__scratch_destroy(energies);
    glnn__scratch_destroy(spectra);
    return status;
}

const glnn__layer_type glnn__spectrogram_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_KERNEL | GLNN__LAYER_STRIDE | GLNN__LAYER_SPECTRUM,
    .takes = GLNN__FLAT,
    .gives = GLNN__PIXELS,
    .shape = shape,
    .initialise = initialise,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
};
