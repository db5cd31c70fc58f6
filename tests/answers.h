/* answers.h: what a data says, by value, where asking must work: the calls of data.h with their
 * status checked. */
#ifndef HOLONOM_TEST_ANSWERS_H
#define HOLONOM_TEST_ANSWERS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <holonom/data.h>

static inline hol_reaction reaction_of(hol_data *data, int joint) {
    hol_reaction out = {.size = sizeof out};
    assert_int_equal(hol_data_reaction(data, joint, &out), HOL_OK);
    return out;
}

static inline hol_energy energy_of(hol_data *data) {
    hol_energy out = {.size = sizeof out};
    assert_int_equal(hol_data_energy(data, &out), HOL_OK);
    return out;
}

static inline hol_load load_of(hol_data *data, int force) {
    hol_load out = {.size = sizeof out};
    assert_int_equal(hol_data_force(data, force, &out), HOL_OK);
    return out;
}

static inline hol_pose pose_at(hol_data *data, int body) {
    hol_pose out;
    assert_int_equal(hol_data_body_pose(data, body, &out), HOL_OK);
    return out;
}

static inline hol_twist twist_at(hol_data *data, int body) {
    hol_twist out;
    assert_int_equal(hol_data_body_twist(data, body, &out), HOL_OK);
    return out;
}

static inline double measure_of(hol_data *data, int column) {
    double out = 0;
    assert_int_equal(hol_data_measure(data, column, &out), HOL_OK);
    return out;
}

#endif
