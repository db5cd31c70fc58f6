/* font.c: characters as strokes, for pictures on pixels. SVG leaves letters to whoever shows it.
 *
 * A point is a digit and a letter: x from 0, y from a (below the base line) over c (on it) and g
 * (height of small letters) to i (height of capitals) and j. Strokes are separated by spaces.
 */
#include "report/canvas.h"

enum { FIRST = 32, LAST = 126 };

/* clang-format off */
static const char *const glyphs[LAST - FIRST + 1] = {
    "", "0i0e 0d0c", "0i0g 2i2g", "1c1i 3c3i 0e4e 0g4g", "4h3i1i0h0g1f3f4e4d3c1c0d 2j2b",
    "0c4i 0i1i1h0h0i 3d4d4c3c3d",
    "4c1g1h2i3h3g0e0d1c2c4e", "0i0g", "2j1i0g0e1c2b", "0j1i2g2e1c0b", "2d2h 0e4g 0g4e", "0e4e 2c2g",
    "1d1c0b", "0e3e", "0c0d", "0c4i",
    "1c0d0h1i3i4h4d3c1c", "0g2i2c 0c4c", "0h1i3i4h4g0c4c", "0h1i3i4h4g3f1f 3f4e4d3c1c0d",
    "3c3i0e4e", "4i0i0f3f4e4d3c1c0d",
    "4h3i1i0h0d1c3c4d4e3f1f0e", "0i4i1c", "1f0g0h1i3i4h4g3f1f0e0d1c3c4d4e3f",
    "0d1c3c4d4h3i1i0h0g1f3f4g", "0c0d 0f0g", "1d1c0b 1f1g",
    "4g0e4c", "0d4d 0f4f", "0g4e0c", "0h1i3i4h4g2f2e 2d2c",
    "3d3f1f1d3d4e4h3i1i0h0d1c4c", "0c2i4c 1e3e", "0c0i3i4h4g3f0f 3f4e4d3c0c", "4h3i1i0h0d1c3c4d",
    "0c0i2i4g4e2c0c", "4i0i0c4c 0f3f",
    "4i0i0c 0f3f", "4h3i1i0h0d1c3c4d4f2f", "0c0i 4c4i 0f4f", "0c2c 1c1i 0i2i", "0d1c2c3d3i",
    "0c0i 4i0e 1f4c", "0i0c4c", "0c0i2f4i4c",
    "0c0i4c4i", "1c0d0h1i3i4h4d3c1c", "0c0i3i4h4g3f0f", "1c0d0h1i3i4h4d3c1c 2e4c",
    "0c0i3i4h4g3f0f 2f4c", "4h3i1i0h0g1f3f4e4d3c1c0d",
    "0i4i 2i2c", "0i0d1c3c4d4i", "0i2c4i", "0i1c2g3c4i", "0c4i 0i4c", "0i2f4i 2f2c", "0i4i0c4c",
    "2j0j0b2b", "0i4c", "0j2j2b0b", "0g2i4g",
    "0b4b",
    "0i1h", "3g3c 3f2g1g0f0d1c2c3d", "0i0c 0d1c2c3d3f2g1g0f", "3f2g1g0f0d1c2c3d",
    "3i3c 3d2c1c0d0f1g2g3f", "0e3e3f2g1g0f0d1c2c3d",
    "3i2i1h1c 0g2g", "3g3b2a1a0b 3f2g1g0f0d1c2c3d", "0i0c 0f1g2g3f3c", "0c0g 0h0i", "1g1b0a 1h1i",
    "0c0i 3g0e3c", "0i0d1c",
    "0c0g 0f1g2f2c 2f3g4f4c", "0c0g 0f1g2g3f3c", "1c0d0f1g2g3f3d2c1c", "0a0g 0f1g2g3f3d2c1c0d",
    "3a3g 3f2g1g0f0d1c2c3d", "0c0g 0f1g2g",
    "3f2g1g0f3d2c1c0d", "1i1d2c3c 0g2g", "0g0d1c2c3d 3g3c", "0g2c4g", "0g1c2f3c4g", "0c3g 0g3c",
    "0g2c 4g1a0a", "0g3g0c3c",
    "2j1i1g0f1e1c2b", "0j0b", "0j1i1g2f1e1c0b", "0e1f3d4e",
};
/* clang-format on */

const char *hol__font_glyph(unsigned code, int *advance) {
    const char *strokes = "0c0i3i3c0c"; /* a box for what is not here */
    if (code >= FIRST && code <= LAST)
        strokes = glyphs[code - FIRST];
    else if (code == 0x2212)
        strokes = "0e4e";
    else if (code == 0xB7 || code == 0x22C5)
        strokes = "0e0f";
    else if (code == 0xB0)
        strokes = "0i1i1h0h0i";
    else if (code == 0xB2)
        strokes = "0i1i1h0g1g";
    int right = code == ' ' ? 2 : 0;
    for (const char *p = strokes; *p; p++)
        if (*p >= '0' && *p <= '9' && *p - '0' > right) right = *p - '0';
    *advance = right + 2;
    return strokes;
}
