/* exchange.h: robot descriptions of other programs: URDF, MuJoCo's MJCF and SDFormat become model
 * files, and models become URDF or MJCF.
 *
 * An import is a description (hol_spec) and a list: every element and attribute of the source that
 * is not carried over as it stands has a row with its place and what was done instead. Nothing is
 * left out without a row. docs/import.md has the tables.
 *
 *     hol_import *import = hol_import_read(ctx, "robot.urdf", NULL);
 *     for (int i = 0; i < hol_import_note_count(import); i++)
 *         puts(hol_import_note_get(import, i)->text);
 *     hol_model *model = hol_model_from_spec(ctx, hol_import_spec(import), NULL);
 */
#ifndef HOLONOM_EXCHANGE_H
#define HOLONOM_EXCHANGE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hol_import hol_import;

/* How a description is read; all 0 is the default. */
typedef struct hol_import_options {
    size_t size;        /* sizeof(hol_import_options), set by the caller */
    const char *format; /* "urdf", "mjcf", "sdf"; NULL: by the root element */
    /* files that it names (includes, meshes) lie in or below this folder; NULL: that of the file,
     * or where it lies in a folder `urdf`, `xml`, `sdf` or `mjcf`, the one above */
    const char *include_root;
    const char *packages; /* where package:// and model:// are sought; NULL: in the include root */
    const char *output;   /* the model file that is to be written: meshes are named as seen from
                           * there; NULL: beside the source */
    int floating;         /* the root link of a URDF moves freely; 0: it stands on ground */
    int merge_fixed;      /* what fixed joints hold becomes one body */
    int repair_inertia;   /* inertias that no body has are replaced and listed; 0: an error */
    int no_limits;        /* limits of joints are left out, and listed */
} hol_import_options;

/* Read a description; NULL after errors, which name line and column. */
hol_import *hol_import_read(hol_context *ctx, const char *path, const hol_import_options *options);

/* The same from memory; name stands for the file in messages and names its folder. */
hol_import *hol_import_read_text(hol_context *ctx, const char *text, const char *name,
                                 const hol_import_options *options);
void hol_import_free(hol_import *import);

/* The description, which lives as long as the import; and as a model file with a head of comments,
 * to be freed with hol_free; NULL without memory. */
const hol_spec *hol_import_spec(const hol_import *import);
char *hol_import_text(const hol_import *import);

/* The same into a file. */
hol_status hol_import_write(const hol_import *import, const char *path);

/* What became of something in the source. */
typedef enum hol_import_kind {
    HOL_IMPORT_CHANGED,   /* carried over as something else, as the text says */
    HOL_IMPORT_LEFT_OUT,  /* it would act on the motion, and does not here */
    HOL_IMPORT_NO_EFFECT, /* it does not act on the motion: colours, sensors, names of plugins */
    HOL_IMPORT_UNKNOWN    /* nothing is known of it */
} hol_import_kind;

typedef struct hol_import_note {
    size_t size; /* sizeof(hol_import_note), set by the library */
    hol_import_kind kind;
    hol_location where;
    const char *element; /* "limit effort", of "joint 'elbow'" where it has a name */
    const char *text;
} hol_import_note;

/* "changed", "left out", "no effect", "unknown". */
const char *hol_import_kind_name(hol_import_kind kind);

/* The list, in the order of the files and lines; NULL past the end. */
int hol_import_note_count(const hol_import *import);
const hol_import_note *hol_import_note_get(const hol_import *import, int i);

/* ---- export ---- */

/* A model as a description of another program, and a list of what that cannot hold, as of an
 * import. */
typedef struct hol_export hol_export;

/* How a model is written; all 0 is the default. */
typedef struct hol_export_options {
    size_t size;        /* sizeof(hol_export_options), set by the caller */
    const char *format; /* "urdf", "mjcf"; NULL: by the ending of output, .urdf or .xml */
    const char *output; /* the file that is to be written */
    int partial; /* leave out what acts on the motion and does not exist there; 0: an error */
} hol_export_options;

/* Describe a model, with its bodies where they are at the start; NULL after errors, which name the
 * elements that the format does not have. The model must outlive the export. */
hol_export *hol_export_new(hol_context *ctx, const hol_model *model,
                           const hol_export_options *options);
void hol_export_free(hol_export *ex);

/* The text, which lives as long as the export; and into a file. */
const char *hol_export_text(const hol_export *ex);
hol_status hol_export_write(const hol_export *ex, const char *path);

/* The list, in the order of the model file; NULL past the end. */
int hol_export_note_count(const hol_export *ex);
const hol_import_note *hol_export_note_get(const hol_export *ex, int i);

#ifdef __cplusplus
}
#endif
#endif
