/* node.c: the nodes of an algebra, each once, and the order in which they are written. */
#include "symbolic/sym.h"

#include <math.h>
#include <string.h>

enum { FIRST_TABLE = 1024 };

hol__algebra *hol__algebra_new(hol_context *ctx, int most) {
    hol__algebra *a = hol__alloc(ctx, 1, sizeof *a);
    if (!a) return NULL;
    a->ctx = ctx;
    a->most = most;
    hol__arena_init(&a->arena, ctx);
    a->table_size = FIRST_TABLE;
    a->table = HOL__NEW_N(&a->arena, struct hol__sym_node *, FIRST_TABLE);
    if (!a->table) {
        hol__algebra_free(a);
        return NULL;
    }
    a->zero = hol__sym_integer(a, 0);
    a->one = hol__sym_integer(a, 1);
    a->minus_one = hol__sym_integer(a, -1);
    a->two = hol__sym_integer(a, 2);
    a->half = hol__sym_fraction(a, 1, 2);
    a->pi = hol__sym_new(a, "pi", "\\pi", HOL__SYM_CONSTANT);
    if (a->status) {
        hol__algebra_free(a);
        return NULL;
    }
    a->symbols[a->pi->symbol].positive = 1;
    return a;
}

void hol__algebra_free(hol__algebra *a) {
    if (!a) return;
    hol_context *ctx = a->ctx;
    hol__arena_free(&a->arena);
    hol__release(ctx, a);
}

/* ---- one node for what is equal ---- */

static unsigned long long hash_of(const struct hol__sym_node *x) {
    const int head[3] = {(int)x->kind, x->kind == HOL__SYM_CALL ? (int)x->function : x->symbol,
                         x->n};
    unsigned long long h = hol__hash(HOL__HASH_START, head, sizeof head);
    if (x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_PRODUCT) {
        const double value = hol__exact_value(x->number);
        h = hol__hash(h, &value, sizeof value);
    }
    for (int i = 0; i < x->n; i++) h = hol__hash(h, &x->arg[i]->id, sizeof x->arg[i]->id);
    return h;
}

static int is_same(const struct hol__sym_node *x, const struct hol__sym_node *y) {
    if (x->hash != y->hash || x->kind != y->kind || x->n != y->n) return 0;
    if (x->kind == HOL__SYM_SYMBOL) return x->symbol == y->symbol;
    if (x->kind == HOL__SYM_CALL && x->function != y->function) return 0;
    if ((x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_PRODUCT) &&
        !hol__exact_same(x->number, y->number))
        return 0;
    return x->n == 0 || memcmp(x->arg, y->arg, sizeof *x->arg * (size_t)x->n) == 0;
}

/* A table of twice the size. */
static int grow_table(hol__algebra *a) {
    const int size = 2 * a->table_size;
    struct hol__sym_node **table = HOL__NEW_N(&a->arena, struct hol__sym_node *, size);
    if (!table) return 0;
    for (int i = 0; i < a->table_size; i++)
        for (struct hol__sym_node *x = a->table[i], *next; x; x = next) {
            struct hol__sym_node **at = &table[x->hash % (unsigned)size];
            next = x->next;
            x->next = *at;
            *at = x;
        }
    a->table = table;
    a->table_size = size;
    return 1;
}

/* How many operations it takes: those of its parts, and its own. */
static long operations_of(const struct hol__sym_node *x) {
    long n = x->kind == HOL__SYM_SUM || x->kind == HOL__SYM_PRODUCT  ? x->n - 1
             : x->kind == HOL__SYM_POWER || x->kind == HOL__SYM_CALL ? 1
                                                                     : 0;
    if (x->kind == HOL__SYM_PRODUCT && !hol__exact_is(x->number, 1) &&
        !hol__exact_is(x->number, -1))
        n++;
    for (int i = 0; i < x->n; i++) n += x->arg[i]->operations;
    return n;
}

static hol__sym no_memory(hol__algebra *a) {
    if (!a->status) a->status = HOL_ERR_MEMORY;
    return NULL;
}

hol__sym hol__sym_node(hol__algebra *a, const struct hol__sym_node *like) {
    struct hol__sym_node want = *like;
    if (a->status) return NULL;
    for (int i = 0; i < want.n; i++)
        if (!want.arg[i]) return NULL;
    want.hash = hash_of(&want);
    for (struct hol__sym_node *x = a->table[want.hash % (unsigned)a->table_size]; x; x = x->next)
        if (is_same(x, &want)) return x;
    if (a->n_nodes >= a->most) {
        a->status = HOL_ERR_ARGUMENT;
        return NULL;
    }
    if (a->n_nodes > 2 * a->table_size && !grow_table(a)) return no_memory(a);
    struct hol__sym_node *x = HOL__NEW(&a->arena, struct hol__sym_node);
    hol__sym *arg = want.n ? HOL__NEW_N(&a->arena, hol__sym, want.n) : NULL;
    if (!x || (want.n && !arg)) return no_memory(a);
    *x = want;
    if (want.n) memcpy(arg, want.arg, sizeof *arg * (size_t)want.n);
    x->arg = arg;
    x->id = a->n_nodes++;
    x->operations = operations_of(x);
    if (!x->rest) x->rest = x;
    struct hol__sym_node **at = &a->table[x->hash % (unsigned)a->table_size];
    x->next = *at;
    return *at = x;
}

/* ---- atoms ---- */

hol__sym hol__sym_exact(hol__algebra *a, hol__exact x) {
    return hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_NUMBER, .number = x});
}

hol__sym hol__sym_integer(hol__algebra *a, long long n) {
    return hol__sym_exact(a, hol__exact_integer(n));
}

hol__sym hol__sym_fraction(hol__algebra *a, long long n, long long d) {
    return hol__sym_exact(a, hol__exact_fraction(n, d));
}

hol__sym hol__sym_number(hol__algebra *a, double x) {
    return hol__sym_exact(a, hol__exact_of(x));
}

hol__sym hol__sym_new(hol__algebra *a, const char *name, const char *latex, hol__sym_class what) {
    hol__text written;
    hol__sym_symbol *symbols = hol__arena_grow(&a->arena, a->symbols, sizeof *symbols, a->n_symbols,
                                               &a->symbol_capacity, a->n_symbols + 1);
    if (!symbols) return no_memory(a);
    a->symbols = symbols;
    hol__text_init(&written, a->ctx);
    hol__latex_name(name, &written);
    const int i = a->n_symbols;
    symbols[i] = (hol__sym_symbol){.name = hol__arena_text(&a->arena, name), .what = what};
    symbols[i].latex = hol__arena_text(&a->arena, latex ? latex : written.data ? written.data : "");
    symbols[i].node =
        hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_SYMBOL, .symbol = i});
    if (written.failed || a->arena.failed) no_memory(a);
    hol__text_free(&written);
    a->n_symbols++;
    return symbols[i].node;
}

/* ---- questions ---- */

int hol__sym_is_number(hol__sym x) {
    return x && x->kind == HOL__SYM_NUMBER;
}

int hol__sym_is_integer(hol__sym x) {
    return hol__sym_is_number(x) && hol__exact_is_integer(x->number);
}

hol__sym hol__sym_base(hol__sym x) {
    return x->kind == HOL__SYM_POWER ? x->arg[0] : x;
}

hol__sym hol__sym_exponent(const hol__algebra *a, hol__sym x) {
    return x->kind == HOL__SYM_POWER ? x->arg[1] : a->one;
}

int hol__sym_is_positive(const hol__algebra *a, hol__sym x) {
    int all = x->n > 0;
    if (x->kind == HOL__SYM_NUMBER) return hol__exact_value(x->number) > 0;
    if (x->kind == HOL__SYM_SYMBOL) return a->symbols[x->symbol].positive;
    if (x->kind == HOL__SYM_POWER) return hol__sym_is_positive(a, x->arg[0]);
    if (x->kind == HOL__SYM_CALL) return x->function == HOL__SYM_EXP;
    if (x->kind == HOL__SYM_PRODUCT && !(hol__exact_value(x->number) > 0)) return 0;
    for (int i = 0; i < x->n; i++) all &= hol__sym_is_positive(a, x->arg[i]);
    return all;
}

/* ---- the order in which they are written ---- */

static int rank(const hol__algebra *a, hol__sym x) {
    switch (x->kind) {
    case HOL__SYM_NUMBER: return 0;
    case HOL__SYM_SYMBOL: /* velocities and accelerations behind sums */
        return (a->symbols[x->symbol].what >= HOL__SYM_VELOCITY ? 30 : 1) +
               (int)a->symbols[x->symbol].what;
    case HOL__SYM_CALL: return 1 + HOL__SYM_TIME; /* before velocities */
    default: return 20 + (int)x->kind;
    }
}

/* Factor by factor, or term by term; the longer one last. */
static int compare_lists(const hol__algebra *a, int n, const hol__sym *x, int m,
                         const hol__sym *y) {
    for (int i = 0; i < n && i < m; i++) {
        const int c = hol__sym_compare(a, x[i], y[i]);
        if (c) return c;
    }
    return (n > m) - (n < m);
}

static int compare_bases(const hol__algebra *a, hol__sym x, hol__sym y) {
    const int rx = rank(a, x), ry = rank(a, y);
    if (rx != ry) return rx < ry ? -1 : 1;
    if (x->kind == HOL__SYM_SYMBOL) {
        const int c = strcmp(a->symbols[x->symbol].name, a->symbols[y->symbol].name);
        return c ? c : (x->symbol > y->symbol) - (x->symbol < y->symbol);
    }
    if (x->kind == HOL__SYM_NUMBER) {
        const double u = hol__exact_value(x->number), v = hol__exact_value(y->number);
        return u != v ? (u > v) - (u < v) : x->number.decimal - y->number.decimal;
    }
    if (x->kind == HOL__SYM_CALL && x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return compare_lists(a, x->n, x->arg, y->n, y->arg);
}

int hol__sym_compare(const hol__algebra *a, hol__sym x, hol__sym y) {
    if (x == y) return 0;
    if (x->kind == HOL__SYM_PRODUCT || y->kind == HOL__SYM_PRODUCT) {
        const int px = x->kind == HOL__SYM_PRODUCT, py = y->kind == HOL__SYM_PRODUCT;
        const int c =
            compare_lists(a, px ? x->n : 1, px ? x->arg : &x, py ? y->n : 1, py ? y->arg : &y);
        const double u = px ? hol__exact_value(x->number) : 1,
                     v = py ? hol__exact_value(y->number) : 1;
        return c ? c : (u > v) - (u < v);
    }
    const hol__sym bx = hol__sym_base(x), by = hol__sym_base(y);
    if (bx != by) return compare_bases(a, bx, by);
    const hol__sym ex = hol__sym_exponent(a, x), ey = hol__sym_exponent(a, y);
    return ex == ey ? 0 : hol__sym_compare(a, ey, ex); /* the higher power first */
}
