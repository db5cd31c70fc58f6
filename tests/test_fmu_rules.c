/* test_fmu_rules.c: the descriptions of FMUs of all models, of both versions and both kinds,
 * against the schemas and rules of the standard (fmu/rules.h); and that the rules see mistakes. */
#include "fmu/importer.h"
#include "fmu/rules.h"
#include "model_fixture.h"

#include <dirent.h>
#include <libxml/parser.h>
#include <sys/stat.h>

typedef struct tally {
    int written, refused, broken;
} tally;

/* The rule that a file of an FMU breaks. */
static const char *broken_in(const char *folder, const char *file, int *variables) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
    if (!doc) return "no XML";
    const char *broken = fmu_broken_rule(doc);
    if (variables) *variables += (int)xmlChildElementCount(xmlDocGetRootElement(doc));
    xmlFreeDoc(doc);
    return broken;
}

/* The FMU of one model, of a version and a kind. */
static void try_one(const char *path, int version, int sources, tally *all) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    const hol_fmu_options how = {
        .size = sizeof how, .version = version, .sources = sources, .module = "no_runtime"};
    hol_status status = hol_spec_read_file(spec, path);
    if (!status) status = hol_fmu_write(ctx, spec, "one.fmu", &how, NULL);
    all->written += status == HOL_OK;
    if (status) {
        all->refused++;
        assert_true(hol_message_count_of(ctx, HOL_ERROR) > 0);
    } else {
        int n = 0;
        mkdir("one", 0755);
        fmu_unzip("one.fmu", "one");
        const char *broken = broken_in("one", "modelDescription.xml", &n);
        if (!broken && sources && version == 3)
            broken = broken_in("one", "sources/buildDescription.xml", &n);
        assert_true(broken || n > 4);
        if (broken) print_message("# %s, FMI %d.0: %s\n", path, version, broken);
        all->broken += broken != NULL;
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* All models of a folder, with sources the smaller half, which is made sooner. */
static void try_folder(const char *folder, int sources, tally *all) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[1200];
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        for (int version = 2; version <= 3; version++) try_one(path, version, sources, all);
    }
    closedir(dir);
}

static void descriptions_keep_the_rules(void **state) {
    (void)state;
    fclose(fopen("no_runtime", "w"));
    tally all = {0}, code = {0};
    try_folder(HOLONOM_TEST_MODELS, 0, &all);
    try_folder(HOLONOM_TEST_MODELS "/elements", 0, &all);
    try_folder(HOLONOM_TEST_MODELS "/elements", 1, &code);
    print_message("# %d FMUs with a binary, %d models refused; %d of sources, %d refused\n",
                  all.written, all.refused, code.written, code.refused);
    assert_true(all.written >= 180 && code.written >= 40);
    assert_int_equal(all.broken + code.broken, 0);
}

/* ---- the rules see mistakes ---- */

/* A description of FMI 2.0 and one of 3.0 that keep the rules, in one line each. */
static const char *const right[] = {
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"{1}\" "
    "numberOfEventIndicators=\"0\">"
    "<ModelExchange modelIdentifier=\"m\"/><CoSimulation modelIdentifier=\"m\"/>"
    "<UnitDefinitions><Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>"
    "<Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>"
    "<Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit></UnitDefinitions>"
    "<DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-6\" stepSize=\"0.1\"/>"
    "<ModelVariables>"
    "<ScalarVariable name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>"
    "<ScalarVariable name=\"k\" valueReference=\"1\" causality=\"parameter\" "
    "variability=\"tunable\" initial=\"exact\"><Real start=\"2\"/></ScalarVariable>"
    "<ScalarVariable name=\"x\" valueReference=\"2\" causality=\"output\" "
    "variability=\"continuous\" initial=\"calculated\"><Real unit=\"m\"/></ScalarVariable>"
    "<ScalarVariable name=\"der(x)\" valueReference=\"3\" causality=\"local\" "
    "variability=\"continuous\"><Real unit=\"m/s\" derivative=\"3\"/></ScalarVariable>"
    "</ModelVariables><ModelStructure><Outputs><Unknown index=\"3\"/></Outputs>"
    "<Derivatives><Unknown index=\"4\" dependencies=\"3\"/></Derivatives>"
    "<InitialUnknowns><Unknown index=\"3\"/><Unknown index=\"4\"/></InitialUnknowns>"
    "</ModelStructure></fmiModelDescription>",
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"{1}\">"
    "<ModelExchange modelIdentifier=\"m\"/>"
    "<UnitDefinitions><Unit name=\"s\"><BaseUnit s=\"1\"/></Unit></UnitDefinitions>"
    "<ModelVariables>"
    "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\" unit=\"s\"/>"
    "<Float64 name=\"u\" valueReference=\"7\" causality=\"input\" variability=\"continuous\" "
    "start=\"1\"/>"
    "<Float64 name=\"x\" valueReference=\"2\" causality=\"local\" variability=\"continuous\" "
    "initial=\"exact\" start=\"0\"/>"
    "<Float64 name=\"v\" valueReference=\"3\" causality=\"local\" variability=\"continuous\" "
    "initial=\"calculated\" derivative=\"2\"/>"
    "</ModelVariables><ModelStructure>"
    "<ContinuousStateDerivative valueReference=\"3\" dependencies=\"7\"/>"
    "<InitialUnknown valueReference=\"3\"/></ModelStructure></fmiModelDescription>",
};

/* One change each that breaks a rule: what is replaced, by what. */
static const struct {
    int of;
    const char *what, *by;
} mistakes[] = {
    {0, "guid=\"{1}\"", ""},
    {0, "<CoSimulation modelIdentifier=\"m\"/>", "<CoSimulation/>"},
    {0, "<CoSimulation modelIdentifier=\"m\"/>", "<CoSimulation modelIdentifier=\"1m\"/>"},
    {0, "<ModelExchange modelIdentifier=\"m\"/><CoSimulation modelIdentifier=\"m\"/>",
     "<CoSimulation modelIdentifier=\"m\"/><ModelExchange modelIdentifier=\"m\"/>"},
    {0, "modelIdentifier=\"m\"/><Co", "modelIdentifier=\"m\" canFly=\"true\"/><Co"},
    {0, "modelIdentifier=\"m\"/><Co", "modelIdentifier=\"m\" needsExecutionTool=\"yes\"/><Co"},
    {0, "name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/>", "name=\"m/s\"><BaseUnit m=\"1\" s=\"1\"/>"},
    {0, "name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/>", "name=\"m\"><BaseUnit m=\"1\"/>"},
    {0, "unit=\"m/s\" d", "unit=\"m\" d"},
    {0, "unit=\"m/s\" d", "unit=\"mm\" d"},
    {0, "stopTime=\"1\"", "stopTime=\"0\""},
    {0, "tolerance=\"1e-6\"", "tolerance=\"small\""},
    {0, "name=\"k\" valueReference=\"1\"", "name=\"k\" valueReference=\"2\""},
    {0, "name=\"k\" valueReference=\"1\"", "name=\"x\" valueReference=\"1\""},
    {0, "name=\"k\" valueReference=\"1\"", "name=\"k+\" valueReference=\"1\""},
    {0, "variability=\"tunable\"", "variability=\"continuous\""},
    {0, "variability=\"tunable\"", "variability=\"constant\""},
    {0, "<Real start=\"2\"/>", "<Real/>"},
    {0, "initial=\"calculated\"><Real unit=\"m\"/>",
     "initial=\"calculated\"><Real unit=\"m\" start=\"0\"/>"},
    {0, "derivative=\"3\"", "derivative=\"9\""},
    {0, "<Outputs><Unknown index=\"3\"/></Outputs>", ""},
    {0, "<Outputs><Unknown index=\"3\"/>", "<Outputs><Unknown index=\"2\"/>"},
    {0, "dependencies=\"3\"", "dependencies=\"2\""},
    {0, "<InitialUnknowns><Unknown index=\"3\"/><Unknown index=\"4\"/>",
     "<InitialUnknowns><Unknown index=\"4\"/><Unknown index=\"3\"/>"},
    {0, "<InitialUnknowns><Unknown index=\"3\"/>", "<InitialUnknowns>"},
    {1, "<InitialUnknown valueReference=\"3\"/>", ""},
    {1, "<InitialUnknown valueReference=\"3\"/>",
     "<InitialUnknown valueReference=\"3\"/><InitialUnknown valueReference=\"3\"/>"},
    {1, "<InitialUnknown valueReference=\"3\"/>",
     "<InitialUnknown valueReference=\"3\"/><Output valueReference=\"3\"/>"},
    {1, "<ContinuousStateDerivative valueReference=\"3\" dependencies=\"7\"/>", ""},
    {1, "dependencies=\"7\"", "dependencies=\"3\""},
    {1, "causality=\"independent\"", "causality=\"local\""},
    {1, "start=\"1\"", ""},
    {1, "valueReference=\"7\"", ""},
    {1, "modelIdentifier=\"m\"", "modelIdentifier=\"m\" canGetAndSetFMUstate=\"true\""},
};

/* The description with the first occurrence replaced (NULL: as it is), checked. */
static int is_broken(const char *text, const char *what, const char *by) {
    char changed[8000];
    const char *at = what ? strstr(text, what) : text;
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, what ? by : "",
             at + (what ? strlen(what) : 0));
    xmlDoc *doc = xmlReadMemory(changed, (int)strlen(changed), "text", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    const char *broken = fmu_broken_rule(doc);
    xmlFreeDoc(doc);
    if (!what && broken) fail_msg("%s", broken);
    return broken != NULL;
}

static void rules_see_mistakes(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) assert_false(is_broken(right[k], NULL, NULL));
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++)
        if (!is_broken(right[mistakes[k].of], mistakes[k].what, mistakes[k].by))
            fail_msg("'%s' in place of '%s' is not seen", mistakes[k].by, mistakes[k].what);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_see_mistakes),
                                       cmocka_unit_test(descriptions_keep_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
