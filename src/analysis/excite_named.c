/* excite_named.c: inputs by the names of elements: the motion of a driver, and the loads that
 * actuators have along joints, springs and dampers. See excite.h. */
#include "analysis/excite.h"

#include "analysis/actuated.h"
#include "model/path.h"

#include <string.h>

int hol__excite_is_parameter(const hol_spec *spec, const char *name) {
    const hol__node *value = spec ? hol__path_value(NULL, spec, name) : NULL;
    return value && value->kind == HOL__SCALAR;
}

/* ---- drivers ---- */

/* The unit of what a driver prescribes, by how often it is differentiated. */
static const char *unit_of(const hol__element *driver, int level) {
    static const char *const length[] = {"m", "m/s", "m/s^2"}, *const angle[] = {"rad", "rad/s",
                                                                                 "rad/s^2"};
    return (driver->pushes ? length : angle)[level];
}

int hol__excite_find_driver(hol__small *s, const char *name, hol__excite *input) {
    const hol_model *m = s->model;
    const int joint = hol_model_joint(m, name);
    hol__arena *arena = &s->matrices;
    if (!hol__is_driver(m, joint)) return 0;
    int row = 0;
    while (row < m->m && m->row_joint[row] != joint) row++;
    if (row == m->m) return 0;
    hol__parameter_terms *by = input->by = HOL__NEW(arena, hol__parameter_terms);
    if (by) hol__parameter_terms_init(by, m, arena);
    if (arena->failed) return 1;
    const hol__element *driver = &m->joints[joint];
    const int level = driver->n_aux ? 2 : row >= m->mh;
    if (level == 2)
        by->R[driver->aux] = 1;
    else
        (level ? by->P : by->Phi)[row] = -1;
    input->unit = unit_of(driver, level);
    return 1;
}

/* ---- loads along coordinates ---- */

/* The unit load of the actuator on the bodies, in the order of the model of small. */
static hol_status take_direction(hol__small *s, hol__actuated *x, hol__excite *input) {
    const int bw = s->model->bw, nv = x->model->nv;
    double *B = HOL__NEW_N(&s->matrices, double, nv + 1), rate;
    if (!B) return HOL_ERR_MEMORY;
    hol_status status = hol__actuated_take(x, s->data);
    if (!status) status = hol__actuated_no_slides(x);
    if (!status) status = hol__actuated_directions(x, B, &rate);
    for (int i = 0; i < s->model->nb && !status; i++)
        for (int k = 0; k < bw; k++)
            input->w[bw * x->body[i] + k] = x->actuators[0].sign * B[bw * i + k];
    input->unit = x->actuators[0].unit;
    return status;
}

int hol__excite_is_coordinate(const hol_model *m, const char *name) {
    char joint[256];
    const char *dot = strrchr(name, '.');
    if (hol_model_joint(m, name) >= 0 || hol__model_named(m, HOL__FORCES, name) >= 0) return 1;
    if (!dot || (size_t)(dot - name) >= sizeof joint) return 0;
    memcpy(joint, name, (size_t)(dot - name));
    joint[dot - name] = '\0';
    return hol_model_joint(m, joint) >= 0;
}

hol_status hol__excite_coordinate(hol__small *s, const char *name, hol__excite *input) {
    const hol_actuator about = {.name = name};
    hol__actuated x;
    hol_status status = hol__actuated_new(s->arena.ctx, s->model, "inputs", 1, &about, 0, &x);
    if (!status) status = take_direction(s, &x, input);
    hol__actuated_free(&x);
    return status;
}
