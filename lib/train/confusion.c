#include "train/confusion.h"

#include "base/status.h"
#include "data/dataset.h"

#include <string.h>

static glnn_status count_all(glnn__walk *walk, int rows, void *self, glnn__confusion_count count,
                             int *confusion)
{
    while (!glnn__walk_is_over(walk)) {
        glnn__batch part;
        GLNN__TRY(glnn__walk_next(walk, rows, &part));
        GLNN__TRY(count(self, &part, confusion));
    }
    return GLNN_OK;
}

glnn_status glnn__confusion_fill(const glnn_dataset *data, int rows, int classes, void *self,
                                 glnn__confusion_count count, int *confusion)
{
    glnn__walk walk;
    memset(confusion, 0, (size_t)classes * (size_t)classes * sizeof *confusion);
    glnn_status status = glnn__walk_begin(data, NULL, 0, data->samples, rows, &walk);
    if (!status)
        status = count_all(&walk, rows, self, count, confusion);
    glnn__walk_end(&walk);
    return status;
}
