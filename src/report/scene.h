/* scene.h: a mechanism in motion as solids: nodes of a glTF document for its bodies, ground, and
 * what is stretched between them. */
#ifndef HOL_REPORT_SCENE_H
#define HOL_REPORT_SCENE_H

#include "report/geometry.h"
#include "report/gltf.h"

enum { HOL__METAL = 0x8B95A3, HOL__DARK = 0x3A4452, HOL__PALE = 0xF2F4F7, HOL__STEEL = 0x5D6B7B };

typedef struct hol__scene {
    hol__movie *movie;
    const hol__geometry *geometry;
    hol__gltf *gltf;
    int n_rows;
    const int *rows; /* the record of each key frame; at least one */
    int *nodes;      /* of the bodies, ground last */
    double front;    /* in the plane: the height of what lies before all bodies */
} hol__scene;

/* Where a body lies in front of the others, in the plane: the height of its lower side; and that of
 * the upper side of all. A plate is 0.8 radii thick. */
double hol__scene_level(const hol__geometry *geometry, int body);
double hol__scene_top(const hol__geometry *geometry);

/* The passes; memory that is missing is noted in the arena of the movie. */
void hol__scene_bodies(hol__scene *scene);
void hol__scene_joints(hol__scene *scene);
void hol__scene_stretches(hol__scene *scene);
void hol__scene_roads(hol__scene *scene);
void hol__scene_trails(hol__scene *scene);
void hol__scene_axes(hol__scene *scene);
void hol__scene_arrows(hol__scene *scene, int reactions, int forces);

/* The quaternion of the shortest turn from z to a direction of length 1. */
void hol__turn_from_z(const double d[3], double q[4]);

/* An empty surface in the arena of the movie; where something stands without being turned; and a
 * place whose z axis points along a direction. */
hol__surface hol__scene_surface(const hol__scene *scene);
hol__placement hol__placed_at(double x, double y, double z);
hol__placement hol__placed_along(const double at[3], const double axis[3]);

#endif
