/* fmi3_none.c: what is not offered: variables of other types than numbers, clocks, structural
 * parameters, dependencies of single elements, derivatives of outputs by time. The description says
 * so, and calls about them are refused; empty lists are right. */
#include "base/context.h"
#include "fmu/module/fmi3_instance.h"

fmi3Status fmi3_refuse(fmi3_instance *i, const char *call, const char *why) {
    hol__report(i->c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call, "%s", why);
    fmu_after(i->c, HOL_ERR_ARGUMENT);
    return fmi3Error;
}

/* What the FMU does not have: only an empty list of it is right. */
static fmi3Status of_none(fmi3Instance of, const char *call, size_t n, const char *what) {
    const fmu_call where = {call, FMU_ANY & ~(unsigned)FMU_U, FMU_ANY & ~(unsigned)FMU_U};
    fmi3_instance *i = of;
    if (!i || !fmu_may(i->c, &where)) return fmi3Error;
    return n == 0 ? fmi3OK : fmi3_refuse(i, call, what);
}

static const char no_type[] = "the FMU has no variables of this type";
static const char no_clocks[] = "the FMU has no clocks";

#define NONE(name, type)                                                                           \
    fmi3Status fmi3Get##name(fmi3Instance of, const fmi3ValueReference references[], size_t n,     \
                             type values[], size_t n_values) {                                     \
        (void)references, (void)values, (void)n_values;                                            \
        return of_none(of, "fmi3Get" #name, n, no_type);                                           \
    }                                                                                              \
    fmi3Status fmi3Set##name(fmi3Instance of, const fmi3ValueReference references[], size_t n,     \
                             const type values[], size_t n_values) {                               \
        (void)references, (void)values, (void)n_values;                                            \
        return of_none(of, "fmi3Set" #name, n, no_type);                                           \
    }
FMI3_OTHER_TYPES(NONE)
#undef NONE

fmi3Status fmi3GetBinary(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                         size_t sizes[], fmi3Binary values[], size_t n_values) {
    (void)references, (void)sizes, (void)values, (void)n_values;
    return of_none(of, "fmi3GetBinary", n, no_type);
}

fmi3Status fmi3SetBinary(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                         const size_t sizes[], const fmi3Binary values[], size_t n_values) {
    (void)references, (void)sizes, (void)values, (void)n_values;
    return of_none(of, "fmi3SetBinary", n, no_type);
}

fmi3Status fmi3GetClock(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                        fmi3Clock values[]) {
    (void)references, (void)values;
    return of_none(of, "fmi3GetClock", n, no_clocks);
}

fmi3Status fmi3SetClock(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                        const fmi3Clock values[]) {
    (void)references, (void)values;
    return of_none(of, "fmi3SetClock", n, no_clocks);
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)intervals, (void)qualifiers;
    return of_none(of, "fmi3GetIntervalDecimal", n, no_clocks);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    return of_none(of, "fmi3GetIntervalFraction", n, no_clocks);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                               fmi3Float64 shifts[]) {
    (void)references, (void)shifts;
    return of_none(of, "fmi3GetShiftDecimal", n, no_clocks);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return of_none(of, "fmi3GetShiftFraction", n, no_clocks);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                  const fmi3Float64 intervals[]) {
    (void)references, (void)intervals;
    return of_none(of, "fmi3SetIntervalDecimal", n, no_clocks);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return of_none(of, "fmi3SetIntervalFraction", n, no_clocks);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                               const fmi3Float64 shifts[]) {
    (void)references, (void)shifts;
    return of_none(of, "fmi3SetShiftDecimal", n, no_clocks);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance of, const fmi3ValueReference references[], size_t n,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return of_none(of, "fmi3SetShiftFraction", n, no_clocks);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance of, fmi3ValueReference reference,
                                               size_t *n) {
    (void)reference, (void)n;
    return of_none(of, "fmi3GetNumberOfVariableDependencies", 1,
                   "the FMU tells dependencies in its description alone");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance of, fmi3ValueReference dependent,
                                       size_t elements[], fmi3ValueReference independents[],
                                       size_t of_independents[], fmi3DependencyKind kinds[],
                                       size_t n) {
    (void)dependent, (void)elements, (void)independents, (void)of_independents, (void)kinds;
    (void)n;
    return of_none(of, "fmi3GetVariableDependencies", 1,
                   "the FMU tells dependencies in its description alone");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance of) {
    return of_none(of, "fmi3EnterConfigurationMode", 1, "the FMU has no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance of) {
    return of_none(of, "fmi3ExitConfigurationMode", 1, "the FMU has no structural parameters");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance of, fmi3ValueReference clock, fmi3Float64 when) {
    (void)clock, (void)when;
    return of_none(of, "fmi3ActivateModelPartition", 1, no_clocks);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance of, const fmi3ValueReference references[],
                                    size_t n, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t n_values) {
    (void)references, (void)orders, (void)values, (void)n_values;
    return of_none(of, "fmi3GetOutputDerivatives", n, "the FMU has no derivatives of outputs");
}
