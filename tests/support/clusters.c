#include "clusters.h"

glnn_learner *kmeans_of(const glnn_kmeans_desc *desc)
{
    glnn_learner *kmeans = NULL;
    expect_ok(glnn_kmeans_create(glnn_test_context(), desc, &kmeans));
    learning_own_learner(kmeans);
    return kmeans;
}

glnn_learner *gmm_of(const glnn_gmm_desc *desc)
{
    glnn_learner *gmm = NULL;
    expect_ok(glnn_gmm_create(glnn_test_context(), desc, &gmm));
    learning_own_learner(gmm);
    return gmm;
}

samples samples_clustered(int count, int features, int clusters, double spread, int classes)
{
    const array places = array_random(clusters, features, -4.0, 4.0);
    samples made = {.inputs = array_random(count, features, -spread, spread), .outputs = classes};
    if (classes > 0)
        made.labels = array_new(count, 1);
    for (int i = 0; i < count; ++i) {
        for (int f = 0; f < features; ++f)
            *at(made.inputs, i, f) =
                (double)(float)(*at(made.inputs, i, f) + *at(places, i % clusters, f));
        if (classes > 0)
            made.labels.data[i] = i % clusters % classes;
    }
    return made;
}

array centres_of(const glnn_learner *kmeans)
{
    const int count = tensor_rows(kmeans, "centres"),
              features = glnn_kmeans_get_desc(kmeans)->features;
    float *floats = floats_new((size_t)count * (size_t)features);
    expect_ok(read_tensor(kmeans, "centres", floats));
    return array_of_floats(count, features, floats);
}

array sizes_of(const glnn_learner *kmeans)
{
    const int count = tensor_rows(kmeans, "centres");
    float *floats = floats_new((size_t)count);
    expect_ok(read_tensor(kmeans, "sizes", floats));
    return array_of_floats(count, 1, floats);
}

void set_centres(glnn_learner *kmeans, array centres)
{
    expect_ok(write_tensor(kmeans, "centres", floats_of(centres)));
}

kmeans_reference kmeans_reference_of(const glnn_learner *kmeans)
{
    const glnn_kmeans_desc *desc = glnn_kmeans_get_desc(kmeans);
    return (kmeans_reference){.centres = centres_of(kmeans),
                              .sizes = sizes_of(kmeans),
                              .per_class = desc->classes > 0 ? desc->centres : 0};
}

static double squared_distance(array x, int row, array centres, int centre)
{
    double sum = 0;
    for (int f = 0; f < x.columns; ++f) {
        const double difference = *at(x, row, f) - *at(centres, centre, f);
        sum += difference * difference;
    }
    return sum;
}

/* Distances are far from any bound on their errors, which is 1e-5 for numbers of this size. */
static void expect_clear(double nearest, double second, int row)
{
    if (second - nearest < 1e-4 && second != nearest)
        fail_at(__FILE__, __LINE__, "sample %d lies between two centres: %g and %g", row, nearest,
                second);
}

array kmeans_reference_assign(const kmeans_reference *of, samples batch, bool uses_labels)
{
    array assigned = array_new(batch.inputs.rows, 2);
    for (int i = 0; i < batch.inputs.rows; ++i) {
        double nearest = INFINITY, second = INFINITY;
        for (int p = 0; p < of->centres.rows; ++p) {
            if (uses_labels && p / of->per_class != (int)batch.labels.data[i])
                continue;
            const double distance = squared_distance(batch.inputs, i, of->centres, p);
            if (distance < nearest) {
                second = nearest;
                nearest = distance;
                *at(assigned, i, 0) = p;
            } else if (distance < second) {
                second = distance;
            }
        }
        expect_clear(nearest, second, i);
        *at(assigned, i, 1) = nearest;
    }
    return assigned;
}

/* centre = (size centre + sum of the samples) / (size + their count) */
static double move(kmeans_reference *of, samples batch, bool from_zero)
{
    const array assigned = kmeans_reference_assign(of, batch, of->per_class > 0);
    const array before = array_copy(of->centres);
    double error = 0;
    for (int p = 0; p < of->centres.rows; ++p) {
        const double size = from_zero ? 0 : of->sizes.data[p];
        double weight = 0;
        for (int i = 0; i < batch.inputs.rows; ++i)
            weight += *at(assigned, i, 0) == p;
        for (int f = 0; f < of->centres.columns && weight > 0; ++f) {
            double sum = size * *at(before, p, f);
            for (int i = 0; i < batch.inputs.rows; ++i)
                sum += *at(assigned, i, 0) == p ? *at(batch.inputs, i, f) : 0;
            *at(of->centres, p, f) = sum / (size + weight);
        }
        of->sizes.data[p] = size + weight;
    }
    for (int i = 0; i < batch.inputs.rows; ++i)
        error += *at(assigned, i, 1) / batch.inputs.rows;
    return error;
}

double kmeans_reference_lloyd(kmeans_reference *of, samples all)
{
    return move(of, all, true);
}

double kmeans_reference_batch(kmeans_reference *of, samples batch)
{
    return move(of, batch, false);
}
