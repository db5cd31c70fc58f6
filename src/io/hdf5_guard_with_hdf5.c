/* hdf5_guard_with_hdf5.c: errors of HDF5 caught instead of printed. */
#include "io/hdf5_guard.h"

#include <stdio.h>
#include <string.h>

int hol__h5guard_take(hol__h5guard *guard) {
    const char *wrong = hol__hdf5_load();
    *guard = (hol__h5guard){.loaded = !wrong, .failed = wrong != NULL};
    if (wrong) {
        snprintf(guard->reason, sizeof guard->reason, "HDF5 cannot be loaded: %.200s", wrong);
        return 0;
    }
    H5Eget_auto2(H5E_DEFAULT, &guard->handler, &guard->user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return 1;
}

/* Whether the handler is the one that HDF5 starts with, which a new error stack shows. */
static int is_default(H5E_auto2_t handler) {
    H5E_auto2_t fresh = NULL;
    void *user;
    const hid_t stack = H5Ecreate_stack();
    const int known = stack >= 0 && H5Eget_auto2(stack, &fresh, &user) >= 0;
    if (stack >= 0) H5Eclose_stack(stack);
    return known && handler == fresh;
}

void hol__h5guard_release(const hol__h5guard *guard) {
    if (!guard->loaded) return;
    H5Eclear2(H5E_DEFAULT);
    if (guard->failed && is_default(guard->handler)) return;
    H5Eset_auto2(H5E_DEFAULT, guard->handler, guard->user);
}

/* Keep the words of the system where an entry of the stack quotes them, else those of the innermost
 * entry. */
static herr_t take_reason(unsigned n, const H5E_error2_t *entry, void *self) {
    hol__h5guard *guard = self;
    const char *desc = entry->desc ? entry->desc : "";
    const char *quote = strstr(desc, "error message = '");
    if (quote) {
        quote = strchr(quote, '\'') + 1;
        snprintf(guard->reason, sizeof guard->reason, "%.*s", (int)strcspn(quote, "'"), quote);
        return 1;
    }
    if (n == 0) snprintf(guard->reason, sizeof guard->reason, "%s (HDF5)", desc);
    return 0;
}

int hol__h5ok(hol__h5guard *guard, long long r) {
    if (r >= 0) return 1;
    if (!guard->failed) {
        snprintf(guard->reason, sizeof guard->reason, "HDF5 gives no reason");
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, guard);
    }
    guard->failed = 1;
    return 0;
}

hid_t hol__h5text_type(size_t n) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return type;
    if (H5Tset_size(type, n + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return -1;
}
