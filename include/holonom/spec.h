/* spec.h: the description of a mechanism, before any mathematics.
 *
 * A description has the shape of a model file: sections (parameters, points, bodies, joints,
 * forces, measures, simulation) that hold named items with keys. It comes from a file
 * (hol_spec_read_file), from text (hol_spec_read_text) or from the calls below; all end in the same
 * tree and are checked in the same place, when the model is compiled. The keys are those of
 * docs/model-file.md.
 *
 *     hol_spec *spec = hol_spec_new(ctx);
 *     hol_item *rod = hol_spec_add(spec, "bodies", "rod", NULL);
 *     hol_item_number(rod, "mass", 10);
 *     hol_item_text(rod, "inertia", "m*L^2/12");
 */
#ifndef HOLONOM_SPEC_H
#define HOLONOM_SPEC_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_spec hol_spec;
typedef struct hol_item hol_item;

/* An empty description; NULL when there is no memory. */
hol_spec *hol_spec_new(hol_context *ctx);
void hol_spec_free(hol_spec *spec);

/* The whole description once more, with its places and its source, for another context: what was
 * asked of the one leaves the other as it is, so that each thread may have its own. Descriptions
 * that are only copied may be copied by several threads at a time. NULL when there is no memory. */
hol_spec *hol_spec_copy(hol_context *ctx, const hol_spec *spec);

/* Read a model file (YAML 1.2, so JSON too) into an empty description, following its includes. The
 * file is a regular one, or a pipe, of which all is read. Files that the model names (includes,
 * tables, meshes) are regular and lie in the folder of the model file or below it, symbolic links
 * resolved. */
hol_status hol_spec_read_file(hol_spec *spec, const char *path);

/* Let files that the model names lie in or below this folder instead; "": the model may name no
 * files. Before the description is read. */
hol_status hol_spec_set_include_root(hol_spec *spec, const char *folder);

/* The same from memory; name stands for the file in messages, and includes are sought beside it. */
hol_status hol_spec_read_text(hol_spec *spec, const char *text, const char *name);

/* Set one value by its path: "parameters.L2", "simulation.tolerance", "bodies.crank.mass". The text
 * is a number, a name or an expression. A parameter or an option of the simulation may be named
 * without its section. Messages name origin as the place (for example "--set"). */
hol_status hol_spec_set(hol_spec *spec, const char *path, const char *text, const char *origin);

/* Bodies of the description may lack mass and inertia: enough for hol_kinematics and
 * hol_assemblies, while a run stops where its equations cannot be solved. Before it is compiled. */
hol_status hol_spec_allow_massless(hol_spec *spec);

/* Add a named item to a section ("bodies", "joints", "forces", "measures"); type may be NULL where
 * the section has no types. NULL when the name is taken or there is no memory. */
hol_item *hol_spec_add(hol_spec *spec, const char *section, const char *name, const char *type);

/* A section or the whole description as an item, to set keys such as "gravity" or "space". */
hol_item *hol_spec_section(hol_spec *spec, const char *section);
hol_item *hol_spec_root(hol_spec *spec);

/* Set a key: a number, a text (name or expression), a list of numbers, a list of texts. */
hol_status hol_item_number(hol_item *item, const char *key, double value);
hol_status hol_item_text(hol_item *item, const char *key, const char *text);
hol_status hol_item_vector(hol_item *item, const char *key, int n, const double *values);
hol_status hol_item_texts(hol_item *item, const char *key, int n, const char *const *texts);

/* A map under a key, to set keys in it. */
hol_item *hol_item_map(hol_item *item, const char *key);

/* The description as a model file; the caller frees it with hol_free. NULL when there is no
 * memory. */
char *hol_spec_text(const hol_spec *spec);

/* The model file that the description was read from with other values of n parameters, or numbers
 * by their paths ("bodies.rod.mass"), in SI units: its own text, in which these numbers alone are
 * replaced, in the units that they are written in. What hol_spec_set changed since it was read is
 * put in its place as well, or a warning names it. A parameter of an included file gets a line in
 * the section parameters, which overrides that file; an expression becomes a number; notes say so.
 * Of a description that no file was read into, the same as hol_spec_text. The caller frees it with
 * hol_free; NULL after an error. */
char *hol_spec_rewrite(const hol_spec *spec, int n, const char *const *parameters,
                       const double *values);

/* Release memory that a call handed out. */
void hol_free(hol_context *ctx, void *block);

#ifdef __cplusplus
}
#endif
#endif
