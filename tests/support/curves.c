#include "curves.h"

#include "support.h"

glnn_report report_at(int epoch)
{
    return (glnn_report){
        .event = GLNN_EVENT_EPOCH,
        .epoch = epoch,
        .step = 469u * (unsigned)epoch,
        .rate = 0.1f / (float)epoch,
        .training = {.loss = 2.0 / 3 / epoch,
                     .accuracy = 1 - 0.3 / epoch,
                     .squared_error = NAN,
                     .r_squared = NAN},
        .validation = {.loss = 1.0 / epoch,
                       .accuracy = 1 - 0.5 / epoch,
                       .squared_error = NAN,
                       .r_squared = NAN},
        .has_validation = true,
        .samples_per_second = 1e6 / 7,
        .seconds = epoch * 0.1,
    };
}

glnn_curve *curve_of(int epochs)
{
    glnn_curve *curve;
    expect_ok(glnn_curve_create(&curve));
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        const glnn_report report = report_at(epoch);
        expect_ok(glnn_curve_add(curve, &report));
    }
    return curve;
}
