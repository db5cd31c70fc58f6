/* test_expr_hostile.c: limits, garbage, lack of memory, and texts made at random. */
#include "expr_fixture.h"

#include "base/expr_internal.h"

/* One message that holds these words; no program. */
static void assert_refused(fixture *f, const char *text, const char *words) {
    assert_null(try_compile(f, text));
    assert_int_equal(hol_message_count(f->ctx), 1);
    if (!strstr(hol_message_get(f->ctx, 0)->text, words))
        fail_msg("\"%s\" lacks \"%s\"", hol_message_get(f->ctx, 0)->text, words);
}

/* n times a piece, into a text that the caller frees. */
static char *repeat(const char *piece, size_t n, const char *tail) {
    const size_t length = strlen(piece);
    char *text = malloc(n * length + strlen(tail) + 1);
    for (size_t i = 0; i < n; i++) memcpy(text + i * length, piece, length);
    strcpy(text + n * length, tail);
    return text;
}

static void test_deep(void **state) {
    fixture *f = *state;
    static const char *const pieces[] = {"(",    "sin(", "2^",       "if(x,1,",
                                         "x?1:", "1+(",  "max(x,-(", "x<(1+2*(3^("};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeat(pieces[i], 5000, "x");
        assert_refused(f, text, "nested deeper than 100 levels");
        free(text);
    }
    /* signs and negations do not nest */
    char *text = repeat("-", 60001, "x");
    double in[N_INPUTS] = {1.75};
    assert_true(value_at(f, text, in) == -1.75);
    free(text);
    text = repeat("!", 60001, "x");
    assert_true(value_at(f, text, in) == 0);
    free(text);
    /* 99 levels are allowed: the expression itself is one */
    text = repeat("(", 99, "x");
    char *closed = repeat(")", 99, "");
    char *both = malloc(300);
    snprintf(both, 300, "%s%s", text, closed);
    assert_true(value_at(f, both, in) == 1.75);
    free(text), free(closed), free(both);
}

static void test_long(void **state) {
    fixture *f = *state;
    char *text = repeat("x+", 500000, "x");
    assert_refused(f, text, "the expression has 1000001 bytes; at most 65536 are allowed");
    assert_int_equal(hol_message_get(f->ctx, 0)->where.column, text_at.column);
    free(text);
    text = repeat("(", 1000000, "");
    assert_refused(f, text, "bytes");
    free(text);
    text = repeat("(", 65536, "");
    assert_refused(f, text, "nested");
    free(text);
    /* the longest that is allowed: 32767 sums with two registers */
    double in[N_INPUTS] = {0.5, 1.5};
    text = repeat("x+", 32767, "y");
    assert_int_equal(strlen(text), 65535);
    assert_true(value_at(f, text, in) == 32767 * 0.5 + 1.5);
    free(text);
    /* long names and numbers */
    text = repeat("a", 65000, "");
    assert_refused(f, text, "unknown name 'aaaaaaaa");
    free(text);
    text = repeat("9", 65000, "");
    assert_refused(f, text, "too large");
    free(text);
    text = repeat("0", 65000, ".5");
    assert_true(value_at(f, text, in) == 0.5);
    free(text);
}

/* max(1-x, 2-x, …) holds all its arguments at once. */
static void test_registers(void **state) {
    fixture *f = *state;
    for (int count = 4000; count <= 4200; count += 200) {
        char *text = malloc(65536);
        size_t n = (size_t)sprintf(text, "max(0-x");
        for (int i = 1; i < count; i++) n += (size_t)sprintf(text + n, ",%d-x", i);
        strcpy(text + n, ")");
        const double in[N_INPUTS] = {0.25};
        if (count <= HOL__EXPR_MAX_REGISTERS)
            assert_true(value_at(f, text, in) == count - 1 - 0.25);
        else
            assert_refused(f, text, "more than 4096 intermediate values");
        free(text);
    }
}

/* Every byte alone, and after a value. */
static void test_bytes(void **state) {
    fixture *f = *state;
    char text[4] = "";
    for (int ch = 1; ch < 256; ch++)
        for (int after = 0; after < 2; after++) {
            snprintf(text, sizeof text, "%s%c", after ? "x" : "", ch);
            const hol__expr *e = try_compile(f, text);
            assert_int_equal(hol_message_count(f->ctx), e ? 0 : 1);
        }
}

/* ---- the k-th allocation fails ---- */

/* Wherever memory ends: no crash, no leak, no program; it ends with the first k that is not
 * reached. */
static void test_memory(void **state) {
    (void)state;
    char *sum = repeat("x+table(y,1,2,3,4)*sin(z)-", 600, "mod(x,k)");
    int k = 1, done = 0;
    for (; !done; k++) {
        counting a;
        hol_context *ctx = failing_context(&a, k);
        if (!ctx) continue;
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        const hol__scope scope = {.self = ctx, .find = find_symbol, .name = name_symbol};
        hol__expr *e = hol__expr_compile(&arena, sum, &scope, N_INPUTS, &text_at, NULL);
        done = a.made < k;
        if (done)
            assert_non_null(e);
        else if (e)
            fail_msg("a program although allocation %d failed", k);
        else
            assert_true(hol_message_count(ctx) >= 1);
        hol__arena_free(&arena);
        hol_context_free(ctx);
        assert_int_equal(a.live, 0);
    }
    assert_true(k > 10);
    free(sum);
}

/* ---- texts made at random ---- */

/* Pieces of the language and of its neighbourhood. */
static const char *const pieces[] = {
    "x",      "y",     "z",      "t",      "tip.x", "L1",     "k",    "m",     "0",
    "1",      "2",     "0.5",    "3.7",    "1e9",   ".25",    "1e-9", "60deg", "5 mm",
    "3 m/s",  "2 N*m", "+",      "-",      "*",     "/",      "^",    "+",     "-",
    "*",      "(",     ")",      "(",      ")",     ",",      ",",    "<",     ">=",
    "==",     "!=",    " and ",  " or ",   " not ", "!",      "?",    ":",     "sin(",
    "cos(",   "log(",  "sqrt(",  "max(",   "if(",   "atan2(", "pow(", "mod(",  "step(",
    "table(", "poly(", "clamp(", "hypot(", "abs(",  "floor(", "pi",   " ",     " s",
    "^2",     "^-1",   "$",      "\x80",   "qq",    "m^2",    "1/0",  ")*",    "tanh(",
};

/* Values agree between the ways to evaluate, also far out and at zero. */
static void check_consistent(const hol__expr *e) {
    static const double points[][N_INPUTS] = {{0.73, -1.48, 2.09, 3.33, -0.29},
                                              {0},
                                              {-1e300, 1e-300, 1e155, -0.0, 7},
                                              {NAN, INFINITY, -INFINITY, 1, 2}};
    double g[N_INPUTS], H[N_INPUTS * N_INPUTS];
    double *scratch = new_scratch(e);
    for (int i = 0; i < 4; i++) {
        const double f = hol__expr_value(e, points[i], scratch);
        const double jet = hol__expr_jet(e, points[i], points[0], points[2], scratch).f;
        const double gradient = hol__expr_gradient(e, points[i], g, scratch);
        const double hessian = hol__expr_hessian(e, points[i], g, H, scratch);
        if (isnan(f))
            assert_true(isnan(jet) && isnan(gradient) && isnan(hessian));
        else
            assert_true(f == jet && f == gradient && f == hessian);
    }
    free(scratch);
}

/* Each text compiles or gives exactly one error within the text; splines may be warned of. */
static void check_text(fixture *f, const char *text) {
    const hol__expr *e = try_compile(f, text);
    int errors = 0;
    for (int i = 0; i < hol_message_count(f->ctx); i++) {
        const hol_message *message = hol_message_get(f->ctx, i);
        const int column = message->where.column - text_at.column;
        assert_true(column >= 0 && column <= (int)strlen(text));
        errors += message->severity == HOL_ERROR;
    }
    assert_int_equal(errors, e ? 0 : 1);
    if (e) check_consistent(e);
}

static void test_random_texts(void **state) {
    fixture *f = *state;
    uint64_t random = 0xd1342543de82ef95u;
    char text[700];
    int compiled = 0;
    for (int i = 0; i < 60000; i++) {
        size_t n = 0;
        const uint64_t count = 1 + next_word(&random) % (i % 4 ? 9 : 40);
        text[0] = '\0';
        for (uint64_t k = 0; k < count; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s",
                                  pieces[next_word(&random) % (sizeof pieces / sizeof *pieces)]);
        check_text(f, text);
        compiled += hol_message_count(f->ctx) == 0;
        hol__arena_free(&f->arena);
    }
    assert_true(compiled > 1000);
}

/* Valid texts with a few bytes changed, taken out or put in. */
static void test_mutations(void **state) {
    static const char *const seeds[] = {
        "5*sin(2*pi*t) - k*(x - 60 mm)",
        "step(t, 0, 0, 1.5, 20 deg) + if(x < 0.5 and not y > 1, x^2, abs(y)^1.5)",
        "table(x, -1, 0.5, 0, 2.5, 1.5, -3, 4, 1) * poly(y, 1, 2, 3)",
        "x > 0 ? hypot(x, y)/2 m : atan2(tip.x, mod(z, 360 deg)) || 1e-3",
        "clamp(min(x, y, z), -1.5 kN/mm, L1^-2) == cbrt(-8) != log10(m)",
    };
    fixture *f = *state;
    uint64_t random = 0x94d049bb133111ebu;
    for (int i = 0; i < 40000; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", seeds[i % 5]);
        for (uint64_t edits = 1 + next_word(&random) % 4; edits > 0; edits--) {
            const size_t n = strlen(text), at = n ? next_word(&random) % n : 0;
            const char ch = (char)(next_word(&random) % 3 ? text[next_word(&random) % (n + 1)]
                                                          : (char)(next_word(&random) % 256));
            switch (next_word(&random) % 3) {
            case 0: text[at] = ch; break;
            case 1: memmove(text + at, text + at + 1, n - at); break;
            default:
                if (n + 2 > sizeof text) break;
                memmove(text + at + 1, text + at, n + 1 - at);
                text[at] = ch;
            }
        }
        check_text(f, text);
        hol__arena_free(&f->arena);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(test_deep),   TEST(test_long),         TEST(test_registers), TEST(test_bytes),
        TEST(test_memory), TEST(test_random_texts), TEST(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
