/* surface.h: surfaces of triangles with normals: what shapes, symbols and springs are made of where
 * they are written as solids. */
#ifndef HOL_REPORT_SURFACE_H
#define HOL_REPORT_SURFACE_H

#include "base/arena.h"

/* Vertices with their normals, three numbers each, and the vertices of each triangle,
 * counter-clockwise as seen from outside. */
typedef struct hol__surface {
    hol__arena *arena;
    int n_vertices, n_indices;
    int vertex_capacity, index_capacity;
    double *positions, *normals;
    unsigned *indices;
} hol__surface;

/* Where a piece goes: x -> at + R x, with det R = 1. */
typedef struct hol__placement {
    double at[3], R[9];
} hol__placement;

/* A vertex and a triangle; a vertex returns its number, -1 without memory (the arena says so). */
int hol__surface_vertex(hol__surface *surface, const hol__placement *place, const double point[3],
                        const double normal[3]);
void hol__surface_triangle(hol__surface *surface, int a, int b, int c);

/* A box about the origin. */
void hol__surface_box(hol__surface *surface, const hol__placement *place, const double size[3]);

/* A surface of revolution about z: rows {r, z, outward normal in r, in z} of its profile, from
 * below to above with the axis on the left. Two rows at one place are an edge. */
void hol__surface_turned(hol__surface *surface, const hol__placement *place, int n,
                         const double (*profile)[4]);

/* Of these: a cylinder, a cone with its tip upwards from z = low to high, a sphere, a cylinder with
 * round ends, a ring about z. */
void hol__surface_cylinder(hol__surface *surface, const hol__placement *place, double radius,
                           double low, double high);
void hol__surface_cone(hol__surface *surface, const hol__placement *place, double radius,
                       double low, double high);
void hol__surface_rod(hol__surface *surface, const hol__placement *place, double radius,
                      double length);
void hol__surface_ring(hol__surface *surface, const hol__placement *place, double radius,
                       double tube);
/* A flat ring between two radii. */
void hol__surface_washer(hol__surface *surface, const hol__placement *place, double inner,
                         double outer, double low, double high);

/* A polygon of n points {x, y} (either way round, without crossings) from z = low to high. */
void hol__surface_prism(hol__surface *surface, const hol__placement *place, int n, const double *xy,
                        double low, double high);

/* A helix of wire along z from 0 to its length, straight towards its ends. */
void hol__surface_coil(hol__surface *surface, double length, double radius, double wire, int coils);

/* A wire along n points in a plane, whose normal (of length 1) is `side`. */
void hol__surface_tube(hol__surface *surface, const hol__placement *place, int n,
                       const double *points, int closed, const double side[3], double radius);

/* The faces of a mesh: vertices, and for each face its corners with -1 behind them. */
void hol__surface_faces(hol__surface *surface, const hol__placement *place, int n_vertices,
                        const double *vertices, int n_indices, const int *indices);

/* The triangles of a polygon of n points {x, y}, counter-clockwise, by cutting ears: 3 (n - 2)
 * numbers or fewer into out; scratch has room for n. Returns how many numbers. */
int hol__triangulate(int n, const double *xy, int *out, int *scratch);

#endif
