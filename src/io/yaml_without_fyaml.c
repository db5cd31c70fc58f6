/* yaml_without_fyaml.c: stands in for the YAML reader where the library was built without
 * libfyaml. */
#include "io/yaml.h"

hol__node *hol__yaml_parse(hol_spec *spec, const char *text, size_t length, const char *file,
                           const hol__yaml_kind *kind, int *n_nodes) {
    const hol_location where = {file, 0, 0};
    (void)text, (void)length, (void)kind, (void)n_nodes;
    hol__report(spec->ctx, HOL_ERROR, HOL_ERR_FEATURE, &where, NULL,
                "model files cannot be read: not built with libfyaml; build the library with it, "
                "or describe the "
                "mechanism by calls (hol_spec_add)");
    return NULL;
}
