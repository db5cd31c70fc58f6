/* urdf.h: between the files that read URDF. */
#ifndef HOL_EXCHANGE_URDF_H
#define HOL_EXCHANGE_URDF_H

#include "exchange/import.h"

extern const hol__known hol__urdf_known[];

/* The frame of an <origin> in an element; that of the element itself where there is none. */
hol__placement hol__urdf_origin(hol_import *im, const hol__xml *element);

/* Bodies with their inertias and shapes; 0 after errors that make the rest meaningless. */
int hol__urdf_links(hol_import *im);

#endif
