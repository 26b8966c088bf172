#include "outputs.h"

#include <string.h>

#include "checkpoint.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/whole_file.h"

/* All files that --plot may write. */
static const char *const plot_files[] = {
    "curve.csv",     "curve.png",   "confusion.csv",  "confusion.gp",
    "confusion.png", "weights.png", "prototypes.png", NULL};

/* Whether an output is, or is written along with, the file at `path`, which `option` names. Then
 * there is a failure that says what the run would overwrite. */
static bool clashes(const option_path *output, const char *option, const char *path,
                    const char *loss)
{
    char along[PATH_CAPACITY];
    const bool is_same = path_same(output->path, path);
    const bool is_along =
        !is_same && ((output->keeps_former && checkpoint_find_former(output->path, along) &&
                      path_same(along, path)) ||
                     whole_file_uses(output->path, path, along));
    if (is_same || is_along)
        refuse("--%s %s%s%s and --%s name the same file, so the run would overwrite %s",
               output->option, output->path, is_along ? ", which writes " : "",
               is_along ? along : "", option, loss);
    return is_same || is_along;
}

static bool check_input(const option_path *output, const char *option, const char *path)
{
    const bool may_replace = output->replaces && strcmp(output->replaces, option) == 0;
    return path == NULL || (may_replace && path_same(output->path, path)) ||
           !clashes(output, option, path, "its input");
}

static bool check_samples(const samples_source *from, const option_path *output)
{
    if (!check_input(output, "data", from->data) || !check_input(output, "labels", from->labels) ||
        !check_input(output, "test", from->test) ||
        !check_input(output, "test-labels", from->test_labels))
        return false;
    if (samples_are_idx(from) && mnist_reads(from->data, output->path))
        return refuse("--%s %s is a file of the images that --data names, so the run would "
                      "overwrite its input",
                      output->option, output->path);
    return true;
}

static bool check_inputs(const run_paths *of, const option_path *output)
{
    for (const option_path *input = of->inputs; input->option; ++input)
        if (!check_input(output, input->option, input->path))
            return false;
    return check_samples(of->samples, output);
}

/* Compares an output with others, from one of a list on. */
static bool check_outputs(const option_path *output, const option_path *others)
{
    static const char loss[] = "one output with the other";
    for (const option_path *other = others; other->option; ++other)
        if (other->path && (clashes(output, other->option, other->path, loss) ||
                            clashes(other, output->option, output->path, loss)))
            return false;
    return true;
}

static bool check_plot_file(const run_paths *of, const char *name)
{
    char path[PATH_CAPACITY];
    const option_path drawn = {"plot", path, NULL, false};
    return path_join(path, of->plot, name) && check_inputs(of, &drawn) &&
           check_outputs(&drawn, of->outputs);
}

bool outputs_check(const run_paths *of)
{
    for (const option_path *output = of->outputs; output->option; ++output)
        if (output->path && (!check_inputs(of, output) || !check_outputs(output, output + 1)))
            return false;
    for (const char *const *name = plot_files; of->plot && *name; ++name)
        if (!check_plot_file(of, *name))
            return false;
    return true;
}
