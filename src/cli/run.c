/* run.c: holonom run: a model file simulated, its results written, a summary printed. */
#include "cli/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At the first output time, with the equations solved, the files are opened: a model that cannot
 * start leaves none. */
static hol_status on_output(void *user, hol_sim *sim) {
    cli_run *run = user;
    if (!run->outputs.is_open) {
        const hol_status status = cli_outputs_open(run->cli, &run->outputs, sim);
        if (status) return status;
    }
    run->recorded = hol_data_time(hol_sim_data(sim));
    return cli_outputs_record(&run->outputs);
}

static hol_status on_step(void *user, hol_sim *sim) {
    cli_run *run = user;
    /* the run itself is stopped between steps, where it can go on later (cli_checkpoint_pause) */
    if (cli_interrupt_signal() && sim != run->sim) return HOL_ERR_INTERRUPTED;
    cli_progress_update(&run->progress, run->cli, sim);
    return HOL_OK;
}

/* Whether all measures of the last state are numbers. */
static int is_finite(const cli_run *run) {
    double value;
    for (int i = 0; i < cli_about(run->model).n_measures; i++)
        if (hol_data_measure(hol_sim_data(run->sim), i, &value) < 0 || !isfinite(value)) return 0;
    return 1;
}

/* After a run that ended before time: the last state, with the equations solved where they can be,
 * is recorded too, unless a measure that is not a number ended it. */
static hol_status keep_last_state(cli_run *run) {
    const double t = hol_data_time(hol_sim_data(run->sim));
    if (hol_data_update(hol_sim_data(run->sim), HOL_STAGE_ACC) != HOL_OK) return HOL_OK;
    if (!run->outputs.is_open || run->status == HOL_ERR_IO || !(t > run->recorded)) return HOL_OK;
    if (!is_finite(run)) return HOL_OK;
    return cli_outputs_record(&run->outputs);
}

/* --certify: what other runs say of this one, kept with its results. */
static void certify(cli_run *run) {
    int certified = 0;
    if (run->status || !run->spec) return;
    const hol_status status = hol_certify_run(run->cli->ctx, run->spec, run->sim, &certified);
    run->uncertified = !certified;
    if (status) run->status = status;
}

/* Simulate and close the files. */
static void simulate(cli_run *run) {
    cli_session *cli = run->cli;
    const hol_observer observer = {on_output, on_step, run};
    const int quiet = cli->quiet || cli_args_has(run->printing, "json");
    hol_status kept = HOL_OK;
    cli_progress_start(&run->progress, !quiet && cli_is_terminal(stderr));
    hol_sim_on_checkpoint(run->sim, cli_checkpoint_pause, run);
    run->status = hol_sim_run(run->sim, &observer);
    cli_progress_clear(cli);
    certify(run);
    run->info = cli_figures(run->sim);
    if (run->status && run->info.steps > 0) kept = keep_last_state(run);
    const hol_status closed = cli_outputs_close(&run->outputs);
    if (!kept) kept = closed;
    if (kept && (!run->status || run->status == HOL_ERR_INTERRUPTED)) run->status = kept;
}

/* Whether a fixed step was cut shorter on the way, but for switches and corners: more steps than
 * the time needs, and how many that would be. */
static int is_step_cut(const cli_run *run, double *needed) {
    double step = 0;
    hol_options_get_real(hol_sim_options(run->sim), "step", &step);
    *needed = step > 0 ? ceil((run->info.t - run->info.t_start) / step - 1e-6) : INFINITY;
    /* a corner takes two steps more: up to it, and over it */
    return (double)(run->info.steps - run->info.switches - run->info.instants -
                    2 * run->info.corners) > *needed;
}

/* Say what the messages of the library do not: an end before time, steps that were cut. */
static void judge(cli_run *run) {
    const hol_sim_info *info = &run->info;
    cli_session *cli = run->cli;
    const char *word = run->status ? cli_checkpoint_word(run) : NULL;
    if (run->status == HOL_ERR_INTERRUPTED)
        cli_report(cli, HOL_WARNING, run->status,
                   "interrupted at t = %.6g s; the results up to there are kept%s%s", info->t,
                   word ? "; go on with: holonom resume " : "", word ? word : "");
    if (run->status && run->status != HOL_ERR_INTERRUPTED && word)
        cli_report(cli, HOL_NOTE, HOL_OK,
                   "the last checkpoint holds t = %.6g s, in '%s'; go on from there with: holonom "
                   "resume %s",
                   run->checkpoint.t, run->checkpoint.path, word);
    double needed;
    if (is_step_cut(run, &needed))
        cli_report(
            cli, HOL_NOTE, HOL_OK,
            "steps were cut short to end at output times: %ld instead of %.0f; set `output` to a "
            "multiple of the step, or output_mode to dense",
            info->steps, needed);
}

/* Go on from the checkpoint, where there is one; 0 after a failure. */
static int go_on(cli_run *run) {
    const hol_checkpoint *from = run->checkpoint.from;
    if (!from) return 1;
    run->status = hol_checkpoint_load(from, run->sim);
    if (!run->status) run->status = cli_outputs_resume(run->cli, &run->outputs, run->sim, from);
    return !run->status;
}

/* The model, its simulation and, where it is asked for, its code; 0 after errors. */
static int set_up(cli_run *run) {
    cli_session *cli = run->cli;
    if (run->study) {
        run->sim = hol_study_sim(run->study, run->number);
        run->model = hol_sim_model(run->sim);
        return run->sim != NULL;
    }
    const int compiled = cli_args_has(run->args, "compiled");
    hol_spec *spec = cli_load_spec(cli, run->args, run->path);
    if (spec && compiled) run->status = cli_compiled_prepare(cli, spec);
    if (spec && !run->status) run->made = cli_model_to_run(cli, spec, &run->options);
    run->model = run->made;
    if (run->model) run->sim = hol_sim_new(cli->ctx, run->model, run->options);
    if (run->sim && compiled) run->status = cli_compiled_use(run, spec);
    if (cli_args_has(run->args, "certify"))
        run->spec = spec;
    else
        hol_spec_free(spec);
    return run->sim && !run->status;
}

/* Load, set up and simulate; run->status says how far it came. */
static void carry_out(cli_run *run) {
    cli_session *cli = run->cli;
    if (!cli_outputs_choose(cli, run->args, run->path, &run->outputs)) return;
    if (!cli_checkpoint_choose(run)) return;
    if (!set_up(run)) return;
    if (!go_on(run)) return;
    cli_interrupt_catch(); /* before there is anything to keep a signal just ends the program */
    simulate(run);
    judge(run);
    if (!run->status) cli_checkpoint_remove(run);
}

/* The exit code of a run. */
static int exit_code(const cli_run *run) {
    if (run->status == HOL_ERR_INTERRUPTED) return 128 + cli_interrupt_signal();
    if (run->status) return cli_exit_code(run->status);
    return run->info.beyond ? CLI_BEYOND : run->uncertified ? CLI_UNCERTIFIED : CLI_OK;
}

int cli_run_whole(cli_run *run) {
    cli_session *cli = run->cli;
    cli->quiet = cli_args_has(run->printing, "quiet");
    carry_out(run);
    if (!run->status) run->status = cli->status;
    if (cli_args_has(run->printing, "json"))
        cli_summary_json(run);
    else if (!cli->quiet && run->sim && (run->info.steps > 0 || !run->status))
        cli_summary_print(run);
    const int code = exit_code(run);
    cli_outputs_free(&run->outputs);
    if (!run->study) hol_sim_free(run->sim);
    hol_spec_free(run->spec);
    hol_code_free(run->code);
    hol_model_free(run->made);
    hol_options_free(run->options);
    cli_checkpoint_free(run);
    return code;
}

static int run_run(cli_session *cli, const cli_args *args) {
    cli_run run = {.cli = cli, .args = args, .printing = args, .path = args->words[0]};
    return cli_run_whole(&run);
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "Write the results to this file: .h5 (HDF5, everything) or .csv (measures). May be given "
     "several times; 'none' "
     "writes nothing. Default: named after the model, in the current folder."},
    {"no-output", 0, NULL, NULL, "Write no results."},
    CLI_MODEL_OPTIONS,
    {"compiled", 0, NULL, NULL,
     "Evaluate the equations with machine code that the C compiler makes for this mechanism, in "
     "relative coordinates with the method direct-correction; it is kept for the next run."},
    {"certify", 0, NULL, NULL,
     "Repeat the run with finer steps, other equations and other coordinates, and report how many "
     "digits all measures have; exit code 9 with fewer than 3. See also holonom certify."},
    CLI_CHECKPOINT_OPTIONS,
    {"json", 0, NULL, NULL, "Print one JSON object instead of the summary, also after a failure."},
    {"quiet", 'q', NULL, NULL, "No summary, no progress line, no notes; warnings and errors "
     "remain."},
    {0},
};
/* clang-format on */

const cli_command cli_command_run = {
    .name = "run",
    .arguments = "MODEL",
    .title = "Simulate a model file, write the results and print a summary.",
    .text = "On a terminal a progress line is shown. Ctrl-C stops the run, keeps what was computed "
            "and says how to continue.\n\n  holonom run four_bar.yaml -o bar.h5 -o "
            "bar.csv --method lagrange --set "
            "crank=1.5",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_run,
};
