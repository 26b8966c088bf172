#include "advice.h"

#include <stdio.h>

#include "common/check.h"

void advice_write(const glnn_advice *of, int count, const char *save, const char *export_c,
                  char text[ADVICE_TEXT])
{
    *text = '\0';
    if (of->use_gpu)
        return;
    const int used =
        snprintf(text, ADVICE_TEXT,
                 "a training step of %d sample%s should take %.3g us on this device and %.3g "
                 "us in plain C on the CPU; ",
                 count, count == 1 ? "" : "s", of->gpu_us, of->cpu_us);
    const size_t left = (size_t)(ADVICE_TEXT - used);
    if (export_c)
        snprintf(text + used, left, "--export-c %s writes the model as C that predicts there",
                 export_c);
    else if (save)
        snprintf(text + used, left,
                 "'train --load %s --export-c model.c' writes the model as C that predicts there",
                 save);
    else
        snprintf(text + used, left,
                 "with '--export-c model.c' the model is written as C that predicts there");
}

void advice_show(const glnn_learner *of, const settings *with, int count)
{
    char text[ADVICE_TEXT];
    glnn_advice advice = {.size = sizeof advice};
    const glnn_status status = glnn_learner_get_advice(of, count, with->advise, &advice);
    if (!with->advise && (status == GLNN_E_STATE || status == GLNN_E_UNSUPPORTED))
        return;
    CHECK(status);
    advice_write(&advice, count, with->save, with->export_c, text);
    if (*text)
        printf("note: %s\n", text);
    else if (with->advise)
        printf("advice     a training step of %d samples should take %.3g us on this device and "
               "%.3g us in "
               "plain C on the CPU\n",
               count, advice.gpu_us, advice.cpu_us);
}
