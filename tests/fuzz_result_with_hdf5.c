/* fuzz_result_with_hdf5.c: HDF5 results that are sound as files and hostile in what they hold.
 *
 * The bytes are edits of a result that the library wrote: objects and attributes that are gone or
 * others, of other types and sizes, numbers that are none, texts of any bytes, links that lead in
 * circles or out of the file. It is read here, where the fuzzer sees which way the reader goes, and
 * then as `holonom report` does, in a process apart, with its motion and its stored model made
 * ready for drawing. Checked: no crash, and every failure has its reason. Files that are no HDF5,
 * or damaged ones, are the matter of tools/mutate.sh. */
#include "fuzz_tape.h"
#include "io/hdf5_content.h"
#include "report/geometry.h"
#include "report/payload.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <string.h>

enum { MOST_EDITS = 12, MOST_TEXT = 300, MOST_NAMES = 128, NAME = 128 };
enum { FUZZ_LENGTH = 700 }; /* short edits, and a long text or two */

static const char path[] = "fuzz.h5", sound[] = "sound.h5";

/* ---- the sound result ---- */

static struct {
    char *bytes;
    size_t size;
    char names[MOST_NAMES][NAME];
    int n;
} known;

static herr_t note_name(hid_t file, const char *name, const H5O_info_t *info, void *unused) {
    (void)file, (void)info, (void)unused;
    if (known.n < MOST_NAMES) snprintf(known.names[known.n++], NAME, "%s", name);
    return 0;
}

static const char model[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n  rod: {mass: 2.385, inertia: 0.31, along: [[0, 0], [0.7, 0.2]]}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
    "forces:\n  s: {type: spring, bodies: [ground, rod], from: [1, 1], to: [0.7, 0.2], "
    "stiffness: 31}\n"
    "measures:\n  tip: {type: position, body: rod, at: [0.7, 0.2]}\nsimulation: {end: 1}\n";

/* Write it once, keep its bytes and the names of what is in it. */
static void make_sound(void) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    if (hol_spec_read_text(spec, model, "fuzz.yaml")) fuzz_fail("the model cannot be read");
    hol_model *m = hol_model_from_spec(ctx, spec, NULL);
    hol_sim *sim = m ? hol_sim_new(ctx, m, NULL) : NULL;
    hol_writer *writer = sim ? hol_writer_open(sim, sound) : NULL;
    for (int i = 0; writer && i < 3; i++) {
        if (hol_sim_advance(sim, 0.0123 * i) || hol_writer_record(writer))
            fuzz_fail("the sound result cannot be written");
    }
    if (!writer || hol_writer_close(writer)) fuzz_fail("the sound result cannot be written");
    hol_sim_free(sim);
    hol_model_free(m);
    hol_spec_free(spec);
    hol_context_free(ctx);
    FILE *file = fopen(sound, "rb");
    known.bytes = malloc(1 << 20);
    known.size = file && known.bytes ? fread(known.bytes, 1, 1 << 20, file) : 0;
    if (!known.size || fclose(file) != 0) fuzz_fail("the sound result cannot be read");
    const hid_t h5 = H5Fopen(sound, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit(h5, H5_INDEX_NAME, H5_ITER_INC, note_name, NULL);
    H5Fclose(h5);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- edits ---- */

/* A type that numbers or texts may be said to have; to be closed. */
static hid_t any_type(tape *t, int *bytes) {
    const hid_t numbers[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT64,
                             H5T_NATIVE_UINT8,  H5T_IEEE_F64BE,   H5T_NATIVE_LDOUBLE};
    const int which = tape_below(t, 9);
    *bytes = 0;
    if (which < 6) return H5Tcopy(numbers[which]);
    const hid_t text = H5Tcopy(H5T_C_S1);
    if (which == 6)
        H5Tset_size(text, H5T_VARIABLE);
    else
        H5Tset_size(text, (size_t)(*bytes = 1 + tape_below(t, MOST_TEXT)));
    if (which == 7) H5Tset_cset(text, H5T_CSET_UTF8);
    return text;
}

/* Sizes, of datasets some beyond everything; HDF5 takes memory for attributes as they are said. */
static hid_t any_space(tape *t, int n_sizes) {
    static const hsize_t sizes[] = {0, 1, 2, 3, 4, 7, 100, 65537, 1ULL << 33, 1ULL << 62};
    const int rank = tape_below(t, 5);
    hsize_t dims[4], most[4];
    for (int i = 0; i < rank; i++) dims[i] = sizes[tape_below(t, n_sizes)], most[i] = H5S_UNLIMITED;
    return rank ? H5Screate_simple(rank, dims, most) : H5Screate(H5S_SCALAR);
}

/* Whether what has that type and space fits in so many bytes; HDF5's own product of sizes may
 * wrap. */
static int fits(hid_t type, hid_t space, size_t bytes) {
    hsize_t dims[4];
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    double n = (double)H5Tget_size(type);
    for (int i = 0; i < rank; i++) n *= (double)dims[i];
    return n > 0 && n <= (double)bytes && !H5Tis_variable_str(type);
}

/* Numbers, or bytes of a text. */
static void fill(tape *t, char *buf, size_t n, int text) {
    static const double odd[] = {0, 1, -1, NAN, INFINITY, -INFINITY, 1e308, 5e-324, 1e18, 0.7};
    for (size_t i = 0; i < n; i++) buf[i] = (char)(text ? tape_byte(t) : 0);
    for (size_t i = 0; !text && i + sizeof(double) <= n; i += sizeof(double)) {
        const double x = odd[tape_below(t, 10)];
        memcpy(buf + i, &x, sizeof x);
    }
}

/* A dataset in place of something; its first numbers where they are few. */
static void put_dataset(tape *t, hid_t file, const char *name) {
    int bytes;
    char buf[4096];
    const hid_t type = any_type(t, &bytes), space = any_space(t, 10),
                how = H5Pcreate(H5P_DATASET_CREATE);
    const int rank = H5Sget_simple_extent_ndims(space);
    const hsize_t chunk[4] = {1, 3, 2, 1};
    if (rank > 0) H5Pset_chunk(how, rank, chunk);
    if (rank > 0 && tape_below(t, 3) == 0) H5Pset_deflate(how, 4);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set >= 0 && fits(type, space, sizeof buf)) {
        fill(t, buf, sizeof buf, bytes > 0);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buf);
    }
    if (set >= 0) H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
}

/* Other numbers in a dataset as it is. */
static void put_numbers(tape *t, hid_t file, const char *name) {
    double buf[512];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return;
    const hid_t space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    fill(t, (char *)buf, sizeof buf, 0);
    if (n > 0 && n <= 512) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, buf);
    H5Sclose(space);
    H5Dclose(set);
}

/* A text in place of something, among them a changed model. */
static void put_text(tape *t, hid_t file, const char *name) {
    char text[sizeof model + 64];
    const size_t n = tape_below(t, 2) ? sizeof model - 1 : (size_t)tape_below(t, MOST_TEXT);
    if (n == sizeof model - 1)
        memcpy(text, model, n);
    else
        fill(t, text, n, 1);
    for (int i = tape_below(t, 6); n && i > 0; i--)
        text[(size_t)tape_below(t, 65536) % n] = (char)tape_byte(t);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, n ? n : 1);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text), H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

/* An attribute of an object: gone, or another. */
static void put_attribute(tape *t, hid_t file, const char *name) {
    char key[NAME] = "unit", buf[4096];
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object < 0) return;
    const hsize_t n = (hsize_t)tape_below(t, 24);
    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, n, key, NAME, H5P_DEFAULT);
    H5Adelete(object, key);
    if (tape_below(t, 4)) {
        int bytes;
        const hid_t type = any_type(t, &bytes), space = any_space(t, 6);
        const hid_t a = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
        fill(t, buf, sizeof buf, bytes > 0);
        if (a >= 0 && fits(type, space, sizeof buf)) H5Awrite(a, type, buf);
        if (a >= 0) H5Aclose(a);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Oclose(object);
}

/* A link in place of something. */
static void put_link(tape *t, hid_t file, const char *name, const char *other) {
    H5Ldelete(file, name, H5P_DEFAULT);
    switch (tape_below(t, 4)) {
    case 0: H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT); break;
    case 1: H5Lcreate_external(sound, other, file, name, H5P_DEFAULT, H5P_DEFAULT); break;
    case 2: H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT); break;
    default: H5Lcreate_hard(file, "/", file, name, H5P_DEFAULT, H5P_DEFAULT); break;
    }
}

static void edit(tape *t, hid_t file) {
    const char *name = known.names[tape_below(t, known.n)];
    switch (tape_below(t, 8)) {
    case 0: H5Ldelete(file, name, H5P_DEFAULT); break;
    case 1: put_numbers(t, file, name); break;
    case 2: put_text(t, file, tape_below(t, 2) ? "model" : name); break;
    case 3: put_link(t, file, name, known.names[tape_below(t, known.n)]); break;
    case 4:
        H5Ldelete(file, name, H5P_DEFAULT);
        put_dataset(t, file, name);
        break;
    case 5:
        H5Ldelete(file, name, H5P_DEFAULT);
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
    default: put_attribute(t, file, name); break;
    }
}

/* The sound result with the edits of the tape. */
static void make_file(tape *t) {
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(known.bytes, 1, known.size, out) != known.size || fclose(out) != 0)
        fuzz_fail("the file cannot be written");
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int i = 0; file >= 0 && t->left && i < MOST_EDITS; i++) edit(t, file);
    if (file >= 0) H5Fclose(file);
}

/* ---- reading ---- */

/* Close what the reader leaves to the end of its process. */
static void close_all(void) {
    hid_t ids[64];
    for (unsigned kind = H5F_OBJ_ALL & ~H5F_OBJ_FILE; kind;
         kind = kind == H5F_OBJ_FILE ? 0 : H5F_OBJ_FILE) {
        ssize_t n;
        while ((n = H5Fget_obj_ids(H5F_OBJ_ALL, kind, 64, ids)) > 0)
            while (n-- > 0) H5Idec_ref(ids[n]);
    }
}

/* In this process. */
static void read_here(tape *t) {
    char reason[HOL__H5_REASON] = "";
    int dims[3];
    hol_context *ctx = hol_context_new();
    hol_result result = {.ctx = ctx};
    hol__arena_init(&result.arena, ctx);
    const int fd = open(path, O_RDONLY);
    if (!hol__h5content_result(&result, fd, reason) && !reason[0])
        fuzz_fail("a result is refused without a reason");
    reason[0] = 0;
    double *block =
        hol__h5content_block(ctx, fd, known.names[tape_below(t, known.n)], dims, reason);
    if (!block && !reason[0]) fuzz_fail("a block is refused without a reason");
    hol__release(ctx, block);
    close_all();
    close(fd);
    hol__arena_free(&result.arena);
    hol_context_free(ctx);
}

/* The whole way of `holonom report`, but for the page around the data. */
static void show(void) {
    hol__movie movie;
    hol__geometry geometry;
    hol__payload payload;
    hol_context *ctx = hol_context_new();
    hol__payload_init(&payload, ctx, 1);
    const hol_status status = hol__movie_read(&movie, ctx, path);
    if (status && hol_message_count_of(ctx, HOL_ERROR) == 0)
        fuzz_fail("a result is refused without a message");
    if (!status && hol__geometry_init(&geometry, &movie))
        hol__payload_add(&payload, &movie, &geometry);
    hol__movie_free(&movie);
    hol__payload_free(&payload);
    hol_context_free(ctx);
}

void fuzz_one(const uint8_t *data, size_t size) {
    tape t = {data, size}, again = {data, size};
    if (!known.size) make_sound();
    make_file(&t);
    read_here(&again);
    if (size && data[size - 1] % 64 == 0) show(); /* a fork takes as long as ten readings */
}
