/* Loading a learner of any kind: the one file that knows all kinds. */
#include "base/status.h"
#include "gl/lifetime.h"
#include "learn/learner_file.h"
#include "mixtures/gmm.h"
#include "net/network.h"
#include "prototypes/kmeans/kmeans.h"
#include "prototypes/lvq/lvq.h"
#include "svm/svm.h"

static const glnn__learner_type *const types[] = {
    &glnn__network_type, &glnn__lvq_type, &glnn__kmeans_type, &glnn__gmm_type, &glnn__svm_type,
};

glnn_status glnn_learner_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                              glnn_learner **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    return glnn__file_load(__func__, ctx, path, desc, types, sizeof types / sizeof *types, out);
}
