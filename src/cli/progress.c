/* progress.c: one line on the terminal that says how far a run is: time, share, remaining time,
 * residual, energy. */
#include "cli/run.h"
#include "common/clock.h"

/* Seconds between two updates; a run that is over sooner shows none. */
static const double INTERVAL = 0.2;

/* Seconds after which the rest is estimated, and how many of it are worth a word. */
static const double FIRST = 2, WORTH_SAYING = 60;

void cli_progress_start(cli_progress *progress, int active) {
    *progress = (cli_progress){.active = active};
    progress->began = progress->shown = hol__clock_wall();
}

/* "12 s", "3:05", "2:03:04" of a number of seconds. */
static const char *duration(double seconds, char buf[32]) {
    const long s = seconds < 3.6e8 ? (long)(seconds + 0.5) : -1;
    if (s < 0)
        snprintf(buf, 32, "years");
    else if (s < 60)
        snprintf(buf, 32, "%ld s", s);
    else if (s < 3600)
        snprintf(buf, 32, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(buf, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return buf;
}

/* After the first seconds of a run whose progress nobody sees: how long it will take, where that is
 * more than a minute. */
static void say_once(cli_progress *progress, cli_session *cli, const hol_sim *sim) {
    const double elapsed = progress->estimated ? 0 : hol__clock_wall() - progress->began;
    char buf[32];
    if (elapsed < FIRST) return;
    const hol_sim_info info = cli_figures(sim);
    const double done = (info.t - info.t_start) / (info.t_end - info.t_start);
    progress->estimated = 1;
    if (done > 0 && elapsed * (1 / done - 1) > WORTH_SAYING)
        cli_report(cli, HOL_NOTE, HOL_OK, "t = %.4g of %.4g s after %.0f s: about %s to go", info.t,
                   info.t_end, elapsed, duration(elapsed * (1 / done - 1), buf));
}

void cli_progress_update(cli_progress *progress, cli_session *cli, const hol_sim *sim) {
    if (!progress->active) {
        say_once(progress, cli, sim);
        return;
    }
    const double t = hol__clock_wall();
    if (t - progress->shown < INTERVAL) return;
    progress->shown = t;
    const hol_sim_info info = cli_figures(sim);
    const double span = info.t_end - info.t_start, done = (info.t - info.t_start) / span;
    char buf[32];
    fprintf(stderr, "\r\033[Kt = %.4g of %.4g s  %3.0f %%", info.t, info.t_end, 100 * done);
    if (done > 0)
        fprintf(stderr, "  ETA %s", duration((t - progress->began) * (1 / done - 1), buf));
    fprintf(stderr, "  |Phi| %.1e  energy %.1e", info.max_position_violation,
            info.relative_energy_error);
    fflush(stderr);
    cli->progress = 1;
}
