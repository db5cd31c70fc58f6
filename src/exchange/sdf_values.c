/* sdf_values.c: values of SDFormat, which stand between tags: numbers, words, poses. */
#include "exchange/sdf.h"

#include "common/number.h"
#include "math/quat.h"

#include <string.h>

const char *hol__sdf_text(hol_import *im, const hol__xml *element, const char *child) {
    const hol__xml *c = hol__xml_child(element, child);
    if (!c) return NULL;
    size_t n = strlen(c->text);
    while (n && strchr(" \t\r\n", c->text[n - 1])) n--;
    return hol__arena_text_n(&im->arena, c->text, n);
}

double hol__sdf_number(hol_import *im, const hol__xml *element, const char *child,
                       double otherwise) {
    return hol__xml_number(im, hol__xml_child(element, child), NULL, otherwise);
}

int hol__sdf_flag(hol_import *im, const hol__xml *element, const char *child, int otherwise) {
    return hol__xml_flag(im, hol__xml_child(element, child), NULL, otherwise);
}

int hol__sdf_vector(hol_import *im, const hol__xml *element, const char *child, int n,
                    double *out) {
    return hol__xml_vector(im, hol__xml_child(element, child), NULL, n, out);
}

hol__placement hol__sdf_pose(hol_import *im, const hol__xml *element, const char **relative) {
    hol__placement at = HOL__PLACEMENT_ZERO;
    const hol__xml *pose = hol__xml_child(element, "pose");
    double x[7];
    *relative = NULL;
    if (!pose) return at;
    const char *format = hol__xml_value(pose, "rotation_format");
    const int quat = format && strcmp(format, "quat_xyzw") == 0;
    if (format && !quat && strcmp(format, "euler_rpy") != 0)
        hol__import_error(im, pose, "rotation_format", "it is euler_rpy or quat_xyzw, not '%s'",
                          format);
    const double unit = hol__xml_flag(im, pose, "degrees", 0) ? acos(-1.0) / 180 : 1;
    *relative = hol__xml_value(pose, "relative_to");
    if (*relative && !**relative) *relative = NULL;
    if (!hol__xml_vector(im, pose, NULL, quat ? 7 : 6, x)) return at;
    memcpy(at.r, x, sizeof at.r);
    if (quat) {
        const double q[4] = {x[6], x[3], x[4], x[5]};
        if (hol__all_zero(q, 4)) {
            hol__import_error(im, pose, NULL, "the quaternion has length 0");
            return at;
        }
        memcpy(at.q, q, sizeof at.q);
        hol__quat_normalize(at.q);
    } else if (!hol__all_zero(x + 3, 3)) {
        for (int i = 3; i < 6; i++) x[i] *= unit;
        hol__quat_rpy(x + 3, at.q);
    }
    return at;
}

int hol__sdf_version(const hol__xml *element) {
    for (; element; element = element->parent) {
        if (strcmp(element->name, "sdf") != 0) continue;
        const char *text = hol__xml_value(element, "version");
        const char *dot = text ? strchr(text, '.') : NULL;
        const char *end;
        if (!text) return 110;
        const double major = hol__number_read(text, &end),
                     minor = dot ? hol__number_read(dot + 1, &end) : 0;
        return major >= 1 && major < 2 && minor >= 0 && minor < 100 ? 100 + (int)minor : 0;
    }
    return 110;
}
