/* import.h: what the readers of robot descriptions share: the object that is filled, the list of
 * what was changed, numbers of attributes, and files. */
#ifndef HOL_EXCHANGE_IMPORT_H
#define HOL_EXCHANGE_IMPORT_H

#include "exchange/robot.h"
#include "exchange/xml.h"

#include <holonom/exchange.h>

/* A row of the table of what a format has and this program does not use. */
typedef struct hol__known {
    const char *element;   /* "*": any */
    const char *attribute; /* NULL: the element itself with all in it */
    hol_import_kind kind;
    const char *text;
} hol__known;

struct hol_import {
    hol_context *ctx;
    hol__arena arena;
    hol_spec *spec;
    hol_import_options how;
    const char *path;   /* as the caller calls it */
    const char *below;  /* resolved folder of the files that it may name */
    const char *from;   /* resolved folder of the output, "" unknown */
    const char *format; /* "URDF" … */
    hol__xml *root;
    hol__name_tree mesh_faults; /* why meshes cannot be read, "" where they can, by path */
    int n_elements;             /* of XML, includes counted */
    hol__robot robot;
    char *text; /* the model file, without its head */
    int n_notes, room;
    hol_import_note *notes;
};

/* ---- the list ---- */

/* Add a row for an element, or one of its attributes (NULL: none). */
void hol__note(hol_import *im, hol_import_kind kind, const hol__xml *element, const char *attribute,
               const char *format, ...) HOL__PRINTF(5, 6);

/* The same for something that is not one element: its place and what it is called. */
void hol__note_at(hol_import *im, hol_import_kind kind, hol_location where, const char *element,
                  const char *format, ...) HOL__PRINTF(5, 6);

/* A row for everything below an element that was not used, with the words of the table. */
void hol__note_unused(hol_import *im, hol__xml *element, const hol__known *table);

/* The list in the order of files and lines, without repetitions. */
void hol__import_sort_notes(hol_import *im);

/* An import with nothing in it but an empty robot; NULL without memory. */
hol_import *hol__import_empty(hol_context *ctx, const char *path);

/* ---- attributes; of NULL: the text of the element ---- */

/* An error at an element, or at an attribute of it. */
void hol__import_error(hol_import *im, const hol__xml *element, const char *attribute,
                       const char *format, ...) HOL__PRINTF(4, 5);

/* Numbers beyond this are no lengths, masses or stiffnesses. */
#define HOL__HUGE_NUMBER 1e30

/* Numbers in a text; how many there are, -1 after an error, which is reported at the place. */
int hol__import_numbers(hol_import *im, const hol__xml *element, const char *attribute,
                        const char *text, int most, double *out);

/* The n numbers of an attribute; 0 where it is not there or wrong, and out is as before. */
int hol__xml_vector(hol_import *im, const hol__xml *element, const char *attribute, int n,
                    double *out);

/* Between low and high of them; how many there are, 0 where it is missing or wrong. */
int hol__xml_some(hol_import *im, const hol__xml *element, const char *attribute, int low, int high,
                  double *out);

/* One number, or the other where it is not there. */
double hol__xml_number(hol_import *im, const hol__xml *element, const char *attribute,
                       double otherwise);

/* The same for an end of a range: infinite and huge ones (1e15 and more) mean none. */
double hol__xml_limit(hol_import *im, const hol__xml *element, const char *attribute,
                      double otherwise);

/* "true" and "1", "false" and "0"; otherwise where it is not there. */
int hol__xml_flag(hol_import *im, const hol__xml *element, const char *attribute, int otherwise);

/* Whether all numbers are 0. */
int hol__all_zero(const double *x, int n);

/* ---- files ---- */

/* Parse a file that the description names at a place; its path is beside that file or absolute.
 * NULL after errors. */
hol__xml *hol__import_file(hol_import *im, const char *path, const hol_location *asked);

/* name beside the file of a place; in the arena. */
const char *hol__import_beside(hol_import *im, const char *file, const char *name);

/* The file that a URI (package://, model://, file://, or a path beside the file of the element)
 * leads to; NULL where there is none below the folder, and *why says so. */
const char *hol__import_find(hol_import *im, const hol__xml *element, const char *uri,
                             const char **why);

/* A resolved path as the description is called, where it lies in its folder or below. */
const char *hol__import_near(hol_import *im, const char *path);

/* A mesh for drawing: what stands in the model file for it; NULL after a note that says why it is
 * left out. */
const char *hol__import_mesh(hol_import *im, const hol__xml *element, const char *attribute,
                             const char *uri);

/* ---- the formats: from the root element to a whole description ---- */

void hol__import_urdf(hol_import *im);
void hol__import_mjcf(hol_import *im);
void hol__import_sdf(hol_import *im);

#endif
