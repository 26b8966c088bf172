#include "session.h"

#include "class_weights.h"
#include "common/device.h"
#include "common/failure.h"
#include "learner.h"
#include "model.h"
#include "predictions.h"

void session_fill(session *of, settings *with)
{
    samples *data = &of->data;
    const glnn_storage storage = settings_get_storage(with);
    of->learner = with->load ? model_load(of->ctx, with, data) : model_make(of->ctx, with, data);
    if (!data->silent)
        learner_show(of->learner);
    predictions_check(of->learner, with, data);
    if (with->class_weights)
        REQUIRE(class_weights_set(with, data));
    of->test = samples_upload(of->ctx, data, &data->test, storage, "test samples");
    of->training = samples_upload(of->ctx, data, &data->train, storage, "training samples");
}

void session_open(session *of, settings *with)
{
    of->ctx = settings_open_device(with);
    if (!of->data.silent)
        device_show(of->ctx);
    session_fill(of, with);
}

void session_empty(session *of)
{
    glnn_dataset_destroy(of->training);
    glnn_dataset_destroy(of->test);
    glnn_learner_destroy(of->learner);
    samples_free(&of->data);
}

void session_close(session *of)
{
    session_empty(of);
    glnn_context_destroy(of->ctx);
}
