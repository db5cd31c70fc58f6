/* statistics.c: what a run is made of and what it cost, as a table.
 *
 * A row names a member of hol_sim_info and says who shows it. Summary, JSON, result files, the
 * listing of results, reports and comparisons go through the rows in this order; columns of a
 * comparison in the order of `column` (its own: the error 40, the time 90). A new statistic is a
 * member, its value in hol_sim_describe, and a row.
 */
#include <holonom/sim.h>

#include <stddef.h>

/* How a member is stored. */
typedef enum member { IS_INT, IS_LONG, IS_REAL, IS_TEXT, IS_END, IS_LIST } member;

typedef struct row {
    hol_statistic statistic;
    member member;
    size_t offset;
} row;

#define TYPE(m)                                                                                    \
    _Generic(((const hol_sim_info *)NULL)->m, int                                                  \
             : IS_INT, long                                                                        \
             : IS_LONG, double                                                                     \
             : IS_REAL, const char *                                                               \
             : IS_TEXT, hol_end                                                                    \
             : IS_END, hol_list                                                                    \
             : IS_LIST)

#define KIND(m)                                                                                    \
    _Generic(((const hol_sim_info *)NULL)->m, int                                                  \
             : HOL_STATISTIC_COUNT, long                                                           \
             : HOL_STATISTIC_COUNT, double                                                         \
             : HOL_STATISTIC_REAL, const char *                                                    \
             : HOL_STATISTIC_TEXT, hol_end                                                         \
             : HOL_STATISTIC_TEXT, hol_list                                                        \
             : HOL_STATISTIC_LIST)

/* The row of member m under a key with a title. */
#define ROW(m, ...)                                                                                \
    { {.kind = KIND(m), __VA_ARGS__}, TYPE(m), offsetof(hol_sim_info, m) }

enum {
    SUMMARY = HOL_SHOW_SUMMARY,
    JSON = HOL_SHOW_JSON,
    HEAD = HOL_SHOW_HEAD | HOL_SHOW_LISTING | HOL_SHOW_REPORT,
    PART = JSON | HEAD | HOL_SHOW_COMPARE,
    STORED = HOL_SHOW_FILE,
    FILES = HOL_SHOW_FILE | HOL_SHOW_LISTING | HOL_SHOW_REPORT
};

/* clang-format off */
static const row rows[] = {
    ROW(method,      .key = "method",      .title = "method",         .show = JSON | HEAD),
    ROW(coordinates, .key = "coordinates", .title = "coordinates",    .show = JSON | HEAD),
    ROW(integrator,  .key = "integrator",  .title = "integrator",     .show = PART),
    ROW(kernel,      .key = "kernel",      .title = "kernel",         .show = PART),
    ROW(stabilizer,  .key = "stabilizer",  .title = "stabilizer",     .show = PART),
    ROW(dae_form,    .key = "dae_form",    .title = "form of the equations", .show = JSON | HEAD),
    ROW(correction,  .key = "correction",  .title = "correction",     .show = PART),
    ROW(choice,      .key = "choice",      .title = "chosen by auto", .show = JSON | HEAD),
    ROW(end,         .key = "end",         .title = "end",            .show = JSON | STORED),
    ROW(t,           .key = "t",           .title = "time reached",   .show = JSON | STORED |
        HOL_SHOW_LISTING),

    ROW(steps, .key = "steps", .title = "steps", .show = JSON | FILES,
        .column = 80, .heading = "steps", .latex = "steps"),
    ROW(rejected, .key = "rejected", .title = "rejected", .show = JSON | FILES),
    ROW(evaluations, .key = "evaluations", .title = "evaluations", .show = JSON | FILES,
        .column = 50, .heading = "evals", .latex = "evaluations"),
    ROW(derivatives, .key = "derivatives", .title = "derivatives", .show = JSON | FILES),
    ROW(beside_code, .key = "beside_code", .title = "beside the code",
        .show = SUMMARY | JSON | FILES),
    ROW(factorizations, .key = "factorizations", .title = "factorizations", .show = JSON | FILES,
        .column = 60, .heading = "factor", .latex = "factorizations"),
    ROW(coordinate_changes, .key = "coordinate_changes", .title = "changes of coordinates",
        .show = JSON | FILES, .column = 70, .heading = "changes", .latex = "changes"),
    ROW(hybrid_switches, .key = "hybrid_switches", .title = "hybrid switches",
        .show = SUMMARY | JSON | FILES | HOL_SHOW_COMPARE),
    ROW(term_steps, .key = "term_steps", .title = "steps with terms",
        .show = SUMMARY | JSON | FILES | HOL_SHOW_COMPARE),
    ROW(partition_steps, .key = "partition_steps", .title = "partitioned steps",
        .show = SUMMARY | JSON | FILES | HOL_SHOW_COMPARE),
    ROW(crossings, .key = "crossings", .title = "singular positions",
        .show = SUMMARY | JSON | FILES),
    ROW(crossing_times, .key = "crossing_times", .title = "crossed at",
        .show = SUMMARY | JSON | FILES),
    ROW(events, .key = "event_count", .title = "events", .show = SUMMARY | JSON | FILES),
    ROW(event_times, .key = "event_times", .title = "events at", .show = JSON | FILES),
    ROW(event_names, .key = "event_names", .title = "what happened", .show = JSON | FILES),
    ROW(switches, .key = "switches", .title = "switches", .show = SUMMARY | JSON | FILES),
    ROW(switch_times, .key = "switch_times", .title = "switched at", .show = JSON | FILES),
    ROW(switch_names, .key = "switch_names", .title = "what switched", .show = FILES),
    ROW(switch_losses, .key = "switch_losses", .title = "energy lost there", .show = JSON | FILES),
    ROW(switch_impulses, .key = "switch_impulses", .title = "impulses", .show = STORED),
    ROW(instants, .key = "instants", .title = "instants of laws", .show = SUMMARY | JSON | FILES),
    ROW(corners, .key = "corners", .title = "corners crossed", .show = SUMMARY | JSON | FILES),
    ROW(minima, .key = "minima", .title = "minima", .show = STORED),
    ROW(minimum_times, .key = "minimum_times", .title = "times of the minima", .show = STORED),
    ROW(maxima, .key = "maxima", .title = "maxima", .show = STORED),
    ROW(maximum_times, .key = "maximum_times", .title = "times of the maxima", .show = STORED),
    ROW(certificate, .key = "certify", .title = "certificate",
        .show = SUMMARY | JSON | FILES),
    ROW(largest_loads, .key = "largest_loads", .title = "largest loads",
        .show = SUMMARY | JSON | FILES),
    ROW(corrections, .key = "corrections", .title = "corrections", .show = FILES),
    ROW(refinements, .key = "refinements", .title = "refinements", .show = STORED),

    ROW(wall_time, .key = "wall_time", .title = "wall time", .format = "%.3g s",
        .show = SUMMARY | JSON),
    ROW(max_position_violation, .key = "max_position_violation", .title = "max |Phi|",
        .format = "%.2e", .show = SUMMARY | JSON | FILES,
        .column = 10, .heading = "|Phi|", .latex = "$\\max\\|\\Phi\\|$"),
    ROW(max_velocity_violation, .key = "max_velocity_violation", .title = "max |psi|",
        .format = "%.2e", .show = SUMMARY | JSON | FILES,
        .column = 20, .heading = "|psi|", .latex = "$\\max\\|\\dot\\Phi\\|$"),
    ROW(relative_energy_error, .key = "relative_energy_error", .title = "energy error",
        .format = "%.2e (relative)", .show = SUMMARY | JSON | FILES,
        .column = 30, .heading = "energy", .latex = "energy"),
    ROW(verdict, .key = "verdict", .title = "tolerances",
        .show = SUMMARY | JSON | FILES | HOL_SHOW_COMPARE),
    ROW(repeats, .key = "repeats", .title = "runs to meet the tolerance",
        .show = SUMMARY | JSON | FILES),
    ROW(estimated_error, .key = "estimated_error", .title = "estimated error of measures",
        .show = JSON | FILES),
    ROW(relative_position_violation, .key = "relative_position_violation",
        .title = "max |Phi| over sizes", .show = JSON | STORED),
    ROW(relative_velocity_violation, .key = "relative_velocity_violation",
        .title = "max |psi| over sizes", .show = JSON | STORED),
    ROW(violation_limit, .key = "violation_limit", .title = "limit of residuals over sizes",
        .show = JSON | STORED),
    ROW(energy_error_limit, .key = "energy_error_limit", .title = "limit of the energy error",
        .show = JSON | STORED),
    ROW(energy_scale, .key = "energy_scale", .title = "energy scale", .show = STORED),

    ROW(dof, .key = "dof", .stored = "degrees_of_freedom", .title = "degrees of freedom",
        .show = JSON | FILES),
    ROW(n_constraints, .key = "constraints", .title = "constraints", .show = FILES),
    ROW(n_redundant, .key = "redundant", .title = "redundant", .show = JSON | FILES),
    ROW(local_coordinates, .key = "local_coordinates", .title = "local coordinates",
        .show = SUMMARY | JSON | FILES),
    ROW(t_start, .key = "t_start", .title = "start", .show = STORED),
    ROW(t_end, .key = "t_end", .title = "end of the run", .show = STORED),
    ROW(step, .key = "last_step", .title = "last step", .show = STORED),
    ROW(assembly_correction, .key = "assembly_correction", .title = "assembly correction",
        .show = STORED | HOL_SHOW_REPORT),
    ROW(equilibrium, .key = "equilibrium", .title = "equilibrium",
        .show = SUMMARY | JSON | FILES),
    ROW(equilibrium_moved, .key = "equilibrium_moved", .title = "moved to the equilibrium",
        .format = "%.3g m", .show = JSON | FILES),
    ROW(start_position_violation, .key = "start_position_violation", .title = "|Phi| at the start",
        .show = JSON | STORED),
    ROW(start_velocity_violation, .key = "start_velocity_violation", .title = "|psi| at the start",
        .show = JSON | STORED),
};
/* clang-format on */

const hol_statistic *hol_statistic_get(int i) {
    const int n = (int)(sizeof rows / sizeof *rows);
    return i >= 0 && i < n ? &rows[i].statistic : NULL;
}

/* A count, with its value as a real. */
static hol_statistic_value count_of(long count) {
    return (hol_statistic_value){.count = count, .real = (double)count};
}

hol_statistic_value hol_statistic_of(const hol_sim_info *info, int i) {
    if (!info || !hol_statistic_get(i)) return (hol_statistic_value){0};
    const void *from = (const char *)info + rows[i].offset;
    switch (rows[i].member) {
    case IS_INT: return count_of(*(const int *)from);
    case IS_LONG: return count_of(*(const long *)from);
    case IS_REAL: return (hol_statistic_value){.real = *(const double *)from};
    case IS_TEXT: return (hol_statistic_value){.text = *(const char *const *)from};
    case IS_END: return (hol_statistic_value){.text = hol_end_name(*(const hol_end *)from)};
    case IS_LIST: return (hol_statistic_value){.list = *(const hol_list *)from};
    }
    return (hol_statistic_value){0};
}

const char *hol_end_name(hol_end end) {
    static const char *const names[] = {"running", "time", "stop", "interrupted", "failed"};
    const size_t i = (size_t)end;
    return i < sizeof names / sizeof *names ? names[i] : "unknown";
}
