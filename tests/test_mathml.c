/* test_mathml.c: formulas in the LaTeX of the library as MathML: what each command becomes, and
 * that every element is closed in its order, also where the formula is none. */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"

#include "report/mathml.h"

static char *mathml(hol_context *ctx, const char *latex) {
    hol__text out;
    hol__text_init(&out, ctx);
    hol__mathml(&out, latex, "x < 1");
    assert_false(out.failed);
    char *text = strdup(out.data);
    hol__text_free(&out);
    return text;
}

/* Whether elements are nested rightly, and there is nothing else that is markup. */
static void check_nested(const char *text) {
    char open[64][16];
    int n = 0;
    for (const char *p = text; *p; p++) {
        if (*p != '<') continue;
        const int closes = p[1] == '/';
        const char *name = p + 1 + closes, *end = strchr(p, '>');
        const size_t length = strcspn(name, " />");
        if (!end || length == 0 || length > 15) fail_msg("%s: at %.20s", text, p);
        if (closes) {
            if (!n || strncmp(open[n - 1], name, length) != 0 || open[n - 1][length])
                fail_msg("%s: %.20s closes nothing", text, p);
            n--;
        } else if (end[-1] != '/') {
            assert_true(n < 64);
            snprintf(open[n++], sizeof *open, "%.*s", (int)length, name);
        }
        p = end;
    }
    if (n) fail_msg("%s: %d elements are open", text, n);
}

static void test_commands(void **unused) {
    static const char *const cases[][2] = {
        {"m", "<mi>m</mi>"},
        {"12.5", "<mn>12.5</mn>"},
        {"-x", "<mo>−</mo><mi>x</mi>"},
        {"\\omega_{0}^{2}", "<msubsup><mi>ω</mi><mrow><mn>0</mn></mrow><mrow><mn>2</mn></mrow>"},
        {"l_{\\mathrm{rod}}", "<msub><mi>l</mi><mrow><mi mathvariant=\"normal\">rod</mi></mrow>"},
        {"\\ddot{\\theta}_{1}", "<msub><mover accent=\"true\"><mrow><mi>θ</mi></mrow><mo>¨</mo>"},
        {"\\frac{m\\,l^{2}}{3}", "<mfrac><mrow><mi>m</mi><mspace width=\"0.17em\"/><msup>"},
        {"\\sqrt{2}", "<msqrt><mrow><mn>2</mn></mrow></msqrt>"},
        {"\\sin^{2}\\left(x\\right)", "<msup><mi>sin</mi><mrow><mn>2</mn></mrow></msup>"
                                      "<mo>&#x2061;</mo><mo form=\"prefix\">(</mo><mi>x</mi>"},
        {"\\operatorname{abs}\\left(t\\right)", "<mi mathvariant=\"normal\">abs</mi>"},
        {"1.5 \\cdot 10^{-5}", "<mo>·</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>5</mn></mrow>"},
        {"\\mathrm{a\\_b<c}", "<mi mathvariant=\"normal\">a_b&lt;c</mi>"},
        {"\\unknown", "<mi mathvariant=\"normal\">unknown</mi>"},
    };
    (void)unused;
    hol_context *ctx = hol_context_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = mathml(ctx, cases[i][0]);
        if (!strstr(text, cases[i][1])) fail_msg("%s: %s", cases[i][0], text);
        if (!strstr(text, "alttext=\"x &lt; 1\"")) fail_msg("%s has no text", text);
        check_nested(text);
        free(text);
    }
    hol_context_free(ctx);
}

/* Any row of these pieces ends, and what comes of it is nested. */
static void test_broken(void **unused) {
    static const char *const pieces[] = {"{",      "}",   "\\",     "_",        "^", "\\frac",
                                         "\\dot{", "x",   "\\left", "\\mathrm", "1", "<",
                                         "&",      "\\,", "\\ ",    "é"};
    uint64_t seed = 17;
    (void)unused;
    hol_context *ctx = hol_context_new();
    for (int i = 0; i < 20000; i++) {
        char latex[128] = "";
        for (int k = 0; k < 9; k++)
            strcat(latex, pieces[next_word(&seed) % (sizeof pieces / sizeof *pieces)]);
        char *text = mathml(ctx, latex);
        check_nested(text);
        free(text);
    }
    hol_context_free(ctx);
}

/* Every formula of the slider-crank in all coordinates, as its page has them. */
static void test_page(void **unused) {
    (void)unused;
    static const char *const sets[] = {"reference", "relative", "natural"};
    for (int k = 0; k < 3; k++) {
        char settings[64];
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        int formulas = 0;
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        assert_int_equal(run_read(spec, "slider_crank"), HOL_OK);
        assert_int_equal(run_settings(spec, settings), HOL_OK);
        assert_int_equal(hol_equations_symbolic(ctx, spec, NULL, &answer), HOL_OK);
        for (int i = 0; i < hol_answer_tables(answer); i++) {
            hol_table t = {.size = sizeof t};
            assert_int_equal(hol_answer_table(answer, i, &t), HOL_OK);
            for (int j = 0; t.formulas && j < t.rows * t.columns; j++, formulas++) {
                char *text = mathml(ctx, t.latex[j]);
                check_nested(text);
                if (strchr(text, '\\') || strchr(text, '{')) fail_msg("%s", text);
                free(text);
            }
        }
        assert_true(formulas > 10);
        hol_answer_free(answer);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_page),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
