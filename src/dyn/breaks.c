/* breaks.c: drivers whose laws of time lead nowhere from some time on.
 *
 * A driver that prescribes a rate f(t) needs its integral, one that prescribes a coordinate that of
 * its rate; where it grows without bound there is none (model/law_integral.h).
 */
#include "dyn/data.h"

#include "element/coupler.h"
#include "model/law_integral.h"

/* The law of a record that prescribes a coordinate (its rate counts) or a rate; NULL: none. */
static const hol__law *law_of(const hol__con_batch *batch, int k, int *rate) {
    const void *record = hol__con_record(batch, k);
    *rate = batch->type == &hol__con_coupler;
    if (*rate) return &((const hol__coupler *)record)->f;
    return batch->type == &hol__con_rate ? &((const hol__rate *)record)->f : NULL;
}

const hol__element *hol__data_driver_breaks(hol_data *data, double t0, double t1, double *when) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->n_con_batches; i++)
        for (int j = 0; j < m->con_batches[i].count; j++) {
            int rate;
            const hol__law *law = law_of(&m->con_batches[i], j, &rate);
            const hol__con *con = hol__con_record(&m->con_batches[i], j);
            if (law && hol__law_breaks(law, rate, data->scratch, t0, t1, when))
                return &m->joints[con->element];
        }
    return NULL;
}

hol_status hol__data_report_break(const hol_data *data, const hol__element *e, double when,
                                  hol_status status) {
    return hol__report(data->ctx, HOL_ERROR, status, &e->where, e->label,
                       "has a law that grows without bound at t = %.9g, so that nothing tells "
                       "where it is from there on; end the motion before, or give it another law",
                       when);
}
