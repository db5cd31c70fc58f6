/* gltf.h: a glTF 2.0 document [KHR] as it is put together: surfaces, materials, nodes with their
 * names, and how nodes move; written as .gltf with its bytes inside, or as .glb. */
#ifndef HOL_REPORT_GLTF_H
#define HOL_REPORT_GLTF_H

#include "base/text.h"
#include "report/surface.h"

typedef struct hol__gltf hol__gltf;

/* Empty, in the arena; NULL without memory. Times of key frames in seconds, strictly rising as
 * 4-byte numbers from 0 on; none: nothing moves. */
hol__gltf *hol__gltf_new(hol__arena *arena, int n_times, const double *times);
void hol__gltf_free(hol__gltf *gltf);

/* A node below another (-1: of the scene); returns its number. */
int hol__gltf_node(hol__gltf *gltf, const char *name, int parent);

/* Give a node a surface of a colour (0xRRGGBB), beside those that it has. A surface without
 * triangles is left out. */
void hol__gltf_paint(hol__gltf *gltf, int node, const hol__surface *surface, unsigned color,
                     double metal);

/* Give a node a line through n points, of a colour. */
void hol__gltf_line(hol__gltf *gltf, int node, int n, const double *points, unsigned color);

/* A number that the first node tells under a key (which is kept) in its extras. */
void hol__gltf_note(hol__gltf *gltf, const char *key, double value);

/* Where a node is at every key frame (at one, where nothing moves): 3 numbers for its place, 4 for
 * its orientation (a unit quaternion, scalar first), 3 for its scale; NULL: as it is. What does not
 * change becomes no channel. Quaternions q and -q are made to follow each other. */
void hol__gltf_move(hol__gltf *gltf, int node, const double *places, const double *turns,
                    const double *scales);

/* The document as the bytes of a file; up is the direction of the model that points upwards, start
 * the time of the first key frame. 0 without memory. */
int hol__gltf_finish(hol__gltf *gltf, const char *title, const double up[3], double start,
                     int binary, hol__text *out);

#endif
