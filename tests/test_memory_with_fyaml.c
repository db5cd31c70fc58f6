/* test_memory_with_fyaml.c: libfyaml takes memory of its own; where it gets none the description
 * says so and stays as it was. Its functions are replaced when this program is linked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holonom/holonom.h>

#include <libfyaml.h>
#include <string.h>

static int call, failing;

/* Whether this call has no memory. */
static int fails(void) {
    return call++ == failing;
}

struct fy_diag *__real_fy_diag_create(const struct fy_diag_cfg *cfg);
struct fy_diag *__wrap_fy_diag_create(const struct fy_diag_cfg *cfg);
struct fy_parser *__real_fy_parser_create(const struct fy_parse_cfg *cfg);
struct fy_parser *__wrap_fy_parser_create(const struct fy_parse_cfg *cfg);

struct fy_diag *__wrap_fy_diag_create(const struct fy_diag_cfg *cfg) {
    return fails() ? NULL : __real_fy_diag_create(cfg);
}

struct fy_parser *__wrap_fy_parser_create(const struct fy_parse_cfg *cfg) {
    return fails() ? NULL : __real_fy_parser_create(cfg);
}

static int is_silent;
struct fy_diag_error *__real_fy_diag_errors_iterate(struct fy_diag *diag, void **at);
struct fy_diag_error *__wrap_fy_diag_errors_iterate(struct fy_diag *diag, void **at);

struct fy_diag_error *__wrap_fy_diag_errors_iterate(struct fy_diag *diag, void **at) {
    return is_silent ? NULL : __real_fy_diag_errors_iterate(diag, at);
}

/* Each of the two objects that libfyaml is asked for. */
static void test_no_parser(void **state) {
    (void)state;
    for (failing = 0; failing < 3; failing++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        call = 0;
        const hol_status status =
            hol_spec_read_text(spec, "holonom: 1\nspace: planar\n", "memory.yaml");
        assert_int_equal(call, failing == 0 ? 1 : 2);
        if (failing < 2) {
            assert_int_equal(status, HOL_ERR_MEMORY);
            assert_int_equal(hol_message_count(ctx), 1);
            assert_string_equal(hol_message_get(ctx, 0)->text, "out of memory in the YAML parser");
        } else
            assert_int_equal(status, HOL_OK);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
    failing = -1;
}

/* A parser that gives up without saying why, as where it has no memory for the reason. */
static void test_no_reason(void **state) {
    (void)state;
    for (is_silent = 0; is_silent < 2; is_silent++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, "a: [1, 2\nb: }\n", "wrong.yaml"), HOL_ERR_INPUT);
        assert_true(hol_message_count(ctx) >= 1);
        const hol_message *m = hol_message_get(ctx, 0);
        assert_string_equal(m->where.file, "wrong.yaml");
        assert_int_equal(strcmp(m->text, "this cannot be read as YAML") == 0, is_silent);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
    is_silent = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_parser),
        cmocka_unit_test(test_no_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
