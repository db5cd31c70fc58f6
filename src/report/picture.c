/* picture.c: files that hold one picture. */
#include "report/picture.h"

#include "io/out_file.h"

enum { MIN_SIDE = 50, MAX_SIDE = 16000 };

hol_status hol__picture_init(hol__picture *picture, hol_context *ctx, const char *path, int width,
                             int height, int default_width, int default_height) {
    const hol_location where = {path, 0, 0};
    *picture = (hol__picture){width ? width : default_width, height ? height : default_height,
                              hol__canvas_type_of(path)};
    if (!picture->type)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                           "the name of a picture must end with .svg, .png or .pdf");
    if (picture->width < MIN_SIDE || picture->height < MIN_SIDE || picture->width > MAX_SIDE ||
        picture->height > MAX_SIDE)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a picture is %d to %d pixels wide and high", MIN_SIDE, MAX_SIDE);
    return hol__canvas_check(ctx, picture->type, path);
}

hol_status hol__picture_write(hol_context *ctx, hol__canvas *canvas, const char *path) {
    hol_status status = HOL_ERR_MEMORY;
    hol__text out;
    hol__text_init(&out, ctx);
    if (canvas && hol__canvas_finish(canvas, &out)) {
        const hol__piece piece = {out.data, out.length};
        status = hol__out_write(ctx, path, &piece, 1);
    }
    hol__text_free(&out);
    hol__canvas_free(canvas);
    return status;
}
