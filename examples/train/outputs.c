#include "outputs.h"

#include <string.h>

#include "common/failure.h"
#include "common/mnist.h"

/* All files that --plot may write. */
static const char *const plot_files[] = {
    "curve.csv",     "curve.png",   "confusion.csv",  "confusion.gp",
    "confusion.png", "weights.png", "prototypes.png", NULL};

static bool clash(const option_path *output, const char *option, const char *loss)
{
    return refuse("--%s %s and --%s name the same file, so the run would overwrite %s",
                  output->option, output->path, option, loss);
}

static bool check_samples(const samples_source *from, const option_path *output)
{
    const option_path read[] = {{"data", from->data, NULL},
                                {"labels", from->labels, NULL},
                                {"test", from->test, NULL},
                                {"test-labels", from->test_labels, NULL}};
    for (int i = 0; i < 4; ++i)
        if (read[i].path && path_same(read[i].path, output->path))
            return clash(output, read[i].option, "its input");
    if (samples_are_idx(from) && mnist_reads(from->data, output->path))
        return refuse("--%s %s is a file of the images that --data names, so the run would "
                      "overwrite its input",
                      output->option, output->path);
    return true;
}

static bool check_inputs(const run_paths *of, const option_path *output)
{
    for (const option_path *input = of->inputs; input->option; ++input)
        if (input->path && path_same(input->path, output->path) &&
            !(output->replaces && strcmp(output->replaces, input->option) == 0))
            return clash(output, input->option, "its input");
    return check_samples(of->samples, output);
}

/* Compares an output with those after it, so that each pair is compared once. */
static bool check_later_outputs(const option_path *output)
{
    for (const option_path *other = output + 1; other->option; ++other)
        if (other->path && path_same(other->path, output->path))
            return clash(output, other->option, "one output with the other");
    return true;
}

static bool check_plot_file(const run_paths *of, const char *name)
{
    char path[PATH_CAPACITY];
    const option_path drawn = {"plot", path, NULL};
    if (!path_join(path, of->plot, name) || !check_inputs(of, &drawn))
        return false;
    for (const option_path *output = of->outputs; output->option; ++output)
        if (output->path && path_same(output->path, path))
            return clash(&drawn, output->option, "one output with the other");
    return true;
}

bool outputs_check(const run_paths *of)
{
    for (const option_path *output = of->outputs; output->option; ++output)
        if (output->path && (!check_inputs(of, output) || !check_later_outputs(output)))
            return false;
    for (const char *const *name = plot_files; of->plot && *name; ++name)
        if (!check_plot_file(of, *name))
            return false;
    return true;
}
