/* mjcf_settings.c: what the elements of an MJCF file are read with: included files, the compiler's
 * settings, classes of defaults, assets, options.
 *
 * Defaults form a tree of classes. An attribute that an element does not have comes from the
 * element of its name in its class, in the class around that, and so on: `given` is that chain. All
 * kinds of actuators share one entry of a class.
 */
#include "exchange/mjcf.h"

#include "common/number.h"
#include "math/quat.h"

#include <string.h>

/* ---- included files ---- */

/* Put the children of another root in the place of an element. */
static void splice(hol__xml *element, hol__xml *root) {
    hol__xml *parent = element->parent;
    for (hol__xml *child = root->first; child; child = child->next) child->parent = parent;
    if (!root->first) return;
    root->last->next = element->next;
    element->next = root->first;
    if (parent->last == element) parent->last = root->last;
}

/* Whether a file is the root, or was included before; remembers it. */
static int seen_before(hol_import *im, const char *path) {
    static const char *const before = "included";
    hol__xml *files = im->root;
    for (const hol__xml_attribute *a = files->attributes; a; a = a->next)
        if (strcmp(a->name, before) == 0 && strcmp(a->value, path) == 0) return 1;
    hol__xml_attribute *a = HOL__NEW(&im->arena, hol__xml_attribute);
    if (!a) return 1;
    *a = (hol__xml_attribute){files->attributes, before, path, files->where, 1};
    files->attributes = a;
    return strcmp(path, im->path) == 0;
}

int hol__mjcf_include(hol_import *im, hol__xml *element, int depth) {
    for (hol__xml *child = element->first; child; child = child->next) {
        if (strcmp(child->name, "include") != 0) {
            if (!hol__mjcf_include(im, child, depth)) return 0;
            continue;
        }
        child->used = 1;
        const char *name = hol__xml_value(child, "file");
        if (!name) {
            hol__import_error(im, child, NULL, "it names no file");
            return 0;
        }
        const char *path = hol__import_beside(im, im->path, name);
        const hol__xml_attribute *a = hol__xml_find(child, "file");
        if (!path || depth >= HOL__XML_INCLUDES || seen_before(im, path)) {
            hol__import_error(im, child, "file", "'%s' is included a second time, or in a circle",
                              name);
            return 0;
        }
        hol__xml *root = hol__import_file(im, path, &a->where);
        if (!root) return 0;
        root->used = 1;
        if (!hol__mjcf_include(im, root, depth + 1)) return 0;
        splice(child, root);
    }
    return 1;
}

/* ---- the compiler ---- */

/* Which of some words a value is; -1 after an error, and where it is not there. */
static int word_of(hol_import *im, const hol__xml *element, const char *attribute,
                   const char *const *words, int n) {
    const char *value = hol__xml_value(element, attribute);
    for (int i = 0; value && i < n; i++)
        if (strcmp(value, words[i]) == 0) return i;
    if (value) hol__import_error(im, element, attribute, "'%s' is not known here", value);
    return -1;
}

static void read_compiler(hol__mjcf *m, const hol__xml *c) {
    hol_import *im = m->im;
    static const char *const angles[] = {"radian", "degree"},
                             *const sources[] = {"false", "true", "auto"},
                             *const frames[] = {"local"};
    const int angle = word_of(im, c, "angle", angles, 2),
              source = word_of(im, c, "inertiafromgeom", sources, 3);
    const char *euler = hol__xml_value(c, "eulerseq"), *meshdir = hol__xml_value(c, "meshdir");
    if (angle >= 0) m->degrees = angle;
    if (source >= 0) m->inertia_from = (hol__mjcf_source)source;
    word_of(im, c, "coordinate", frames, 1);
    if (euler && (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3))
        hol__import_error(im, c, "eulerseq", "it is made of three of the letters x, y, z, X, Y, Z");
    else if (euler)
        memcpy(m->euler, euler, 4);
    m->autolimits = hol__xml_flag(im, c, "autolimits", m->autolimits);
    m->balance = hol__xml_flag(im, c, "balanceinertia", m->balance);
    m->strip = hol__xml_flag(im, c, "strippath", m->strip);
    m->least_mass = hol__xml_number(im, c, "boundmass", m->least_mass);
    m->least_inertia = hol__xml_number(im, c, "boundinertia", m->least_inertia);
    m->total_mass = hol__xml_number(im, c, "settotalmass", m->total_mass);
    hol__xml_vector(im, c, "inertiagrouprange", 2, m->groups);
    if (!meshdir) meshdir = hol__xml_value(c, "assetdir");
    if (meshdir) m->meshdir = meshdir;
}

/* ---- classes of defaults ---- */

static int is_actuator(const char *name) {
    static const char *const kinds[] = {"general",  "motor",  "position", "velocity",   "damper",
                                        "cylinder", "muscle", "adhesion", "intvelocity"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(name, kinds[i]) == 0) return 1;
    return 0;
}

/* What the entry for an element's name is kept under: one for all kinds of actuators. */
static const char *entry_name(const char *name) {
    return is_actuator(name) ? "an actuator" : name;
}

/* The entry for an element's name in a class, or the classes around it. */
static hol__xml *entry_of(const hol__xml *class, const char *name) {
    for (; class && strcmp(class->name, "default") == 0; class = class->parent) {
        const uintptr_t *found = hol__name_tree_find(&class->entries, entry_name(name));
        if (found) return (hol__xml *)*found;
    }
    return NULL;
}

/* Enter a class and those inside it, and link their entries to those around. */
static void add_class(hol__mjcf *m, hol__xml *class, int nested) {
    const char *name = hol__xml_value(class, "class");
    class->used = 1;
    if (!name && nested)
        hol__import_error(m->im, class, NULL, "a class inside another one needs a name (class)");
    if (name && hol__name_tree_find(&m->classes, name) && nested)
        hol__import_error(m->im, class, "class", "the class '%s' is defined twice", name);
    hol__name_tree_add(&m->classes, &m->im->arena, name ? name : "main", (uintptr_t) class);
    for (hol__xml *child = class->first; child; child = child->next)
        hol__name_tree_add(&class->entries, &m->im->arena, entry_name(child->name),
                           (uintptr_t)child);
    for (hol__xml *child = class->first; child; child = child->next) {
        if (strcmp(child->name, "default") == 0)
            add_class(m, child, 1);
        else if (nested)
            child->given = entry_of(class->parent, child->name);
    }
}

void hol__mjcf_default(hol__mjcf *m, hol__xml *element, const char *childclass) {
    const char *name = hol__xml_value(element, "class");
    if (!name) name = childclass;
    const uintptr_t *found = name ? hol__name_tree_find(&m->classes, name) : NULL;
    if (name && !found)
        hol__import_error(m->im, element, "class", "there is no class of defaults '%s'", name);
    hol__xml *class = found ? (hol__xml *)*found : m->main_class;
    element->given = class ? entry_of(class, element->name) : NULL;
    for (const hol__xml *e = element->given; e; e = e->given) ((hol__xml *)e)->used = 1;
}

/* ---- assets and options ---- */

/* Meshes and materials by name. */
static void read_assets(hol__mjcf *m, hol__xml *asset) {
    for (hol__xml *a = asset->first; a; a = a->next) {
        const int mesh = strcmp(a->name, "mesh") == 0;
        if (!mesh && strcmp(a->name, "material") != 0) continue;
        hol__mjcf_default(m, a, NULL);
        const hol__xml_attribute *file = hol__xml_find(a, "file"), *own = hol__xml_find(a, "name");
        const char *name = own ? own->value : file ? file->value : NULL;
        if (!own && name) { /* the name of the file without its ending */
            const char *slash = strrchr(name, '/'), *start = slash ? slash + 1 : name,
                       *dot = strrchr(start, '.');
            name = hol__arena_text_n(&m->im->arena, start,
                                     dot ? (size_t)(dot - start) : strlen(start));
        }
        if (name)
            hol__name_tree_add(mesh ? &m->meshes : &m->materials, &m->im->arena, name,
                               (uintptr_t)a);
    }
}

static void read_option(hol__mjcf *m, const hol__xml *o) {
    hol_import *im = m->im;
    double wind[3] = {0};
    hol__xml_vector(im, o, "gravity", 3, m->gravity);
    const double density = hol__xml_number(im, o, "density", 0),
                 viscosity = hol__xml_number(im, o, "viscosity", 0);
    hol__xml_vector(im, o, "wind", 3, wind);
    if (density != 0 || viscosity != 0)
        hol__note(im, HOL_IMPORT_LEFT_OUT, o, density != 0 ? "density" : "viscosity",
                  "drag of a fluid is not carried over (forces of type drag have it)");
    for (hol__xml *f = hol__xml_child(o, "flag"); f; f = hol__xml_next(f)) {
        const char *gravity = hol__xml_value(f, "gravity");
        if (gravity && strcmp(gravity, "disable") == 0) memset(m->gravity, 0, sizeof m->gravity);
    }
}

void hol__mjcf_settings(hol__mjcf *m) {
    hol__xml *root = m->im->root;
    for (hol__xml *c = hol__xml_child(root, "compiler"); c; c = hol__xml_next(c))
        read_compiler(m, c);
    for (hol__xml *d = hol__xml_child(root, "default"); d; d = hol__xml_next(d)) {
        add_class(m, d, 0);
        if (!m->main_class) m->main_class = d;
    }
    for (hol__xml *a = hol__xml_child(root, "asset"); a; a = hol__xml_next(a)) read_assets(m, a);
    for (hol__xml *o = hol__xml_child(root, "option"); o; o = hol__xml_next(o)) read_option(m, o);
    if (m->balance) m->im->how.repair_inertia = 1;
}

/* ---- angles and frames ---- */

double hol__mjcf_angle(const hol__mjcf *m, double angle) {
    return m->degrees ? angle * (acos(-1.0) / 180) : angle;
}

/* Turns about axes one after another: small letters about those that turn along. */
static void read_euler(const hol__mjcf *m, const double angles[3], double q[4]) {
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    for (int i = 0; i < 3; i++) {
        const double half = 0.5 * hol__mjcf_angle(m, angles[i]);
        const int fixed = strchr("XYZ", m->euler[i]) != NULL;
        double turn[4] = {cos(half), 0, 0, 0}, out[4];
        turn[1 + (m->euler[i] | 32) - 'x'] = sin(half);
        hol__quat_mul(fixed ? turn : q, fixed ? q : turn, out);
        memcpy(q, out, sizeof out);
    }
}

/* The shortest turn that takes z to a direction. */
static void turn_z_to(const double z[3], double q[4]) {
    const double n = hol__norm3(z), u[3] = {z[0] / n, z[1] / n, z[2] / n};
    q[0] = 1 + u[2], q[1] = -u[1], q[2] = u[0], q[3] = 0;
    if (q[0] < 1e-12) q[0] = 0, q[1] = 1, q[2] = 0; /* half a turn about x */
    hol__quat_normalize(q);
}

/* x along the first three, y as near to the others as can be. */
static void axes_quat(const double a[6], double q[4]) {
    double x[3], y[3], z[3];
    const double nx = hol__norm3(a);
    for (int i = 0; i < 3; i++) x[i] = a[i] / nx;
    const double d = hol__dot3(x, a + 3);
    for (int i = 0; i < 3; i++) y[i] = a[3 + i] - d * x[i];
    const double ny = hol__norm3(y);
    for (int i = 0; i < 3; i++) y[i] /= ny;
    hol__cross3(x, y, z);
    const double R[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
    hol__quat_from_matrix(R, q);
}

hol__placement hol__mjcf_frame(hol__mjcf *m, const hol__xml *e) {
    hol_import *im = m->im;
    hol__placement at = HOL__PLACEMENT_ZERO;
    double x[6];
    hol__xml_vector(im, e, "pos", 3, at.r);
    if (hol__xml_vector(im, e, "quat", 4, x) && !hol__all_zero(x, 4))
        memcpy(at.q, x, 4 * sizeof *x);
    if (hol__xml_vector(im, e, "axisangle", 4, x) && hol__norm3(x) > 0) {
        const double n = hol__norm3(x), half = 0.5 * hol__mjcf_angle(m, x[3]);
        at.q[0] = cos(half);
        for (int i = 0; i < 3; i++) at.q[1 + i] = sin(half) * x[i] / n;
    }
    if (hol__xml_vector(im, e, "euler", 3, x)) read_euler(m, x, at.q);
    if (hol__xml_vector(im, e, "zaxis", 3, x) && hol__norm3(x) > 0) turn_z_to(x, at.q);
    if (hol__xml_vector(im, e, "xyaxes", 6, x)) {
        double z[3];
        hol__cross3(x, x + 3, z);
        if (hol__norm3(z) > 0)
            axes_quat(x, at.q);
        else
            hol__import_error(im, e, "xyaxes", "the two axes are parallel");
    }
    hol__quat_normalize(at.q);
    return at;
}

int hol__mjcf_limited(hol__mjcf *m, const hol__xml *e, const char *limited, const char *range,
                      double out[2]) {
    const char *word = hol__xml_value(e, limited);
    const int there = hol__xml_vector(m->im, e, range, 2, out);
    const int chosen = word && strcmp(word, "true") == 0    ? 1
                       : word && strcmp(word, "false") == 0 ? 0
                                                            : m->autolimits && there;
    if (word && strcmp(word, "true") != 0 && strcmp(word, "false") != 0 &&
        strcmp(word, "auto") != 0)
        hol__import_error(m->im, e, limited, "it is true, false or auto, not '%s'", word);
    if (chosen && !there) hol__import_error(m->im, e, NULL, "it is limited and has no '%s'", range);
    if (there && out[0] > out[1])
        hol__import_error(m->im, e, range, "its lower end %g is above the upper one, %g", out[0],
                          out[1]);
    return chosen && there;
}

const char *hol__mjcf_number(hol_import *im, double x) {
    char buf[HOL__NUMBER_SIZE];
    hol__number_text(x, buf);
    return hol__arena_format(&im->arena, x < 0 ? "(%s)" : "%s", buf);
}
