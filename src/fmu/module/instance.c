/* instance.c: see instance.h. */
#include "fmu/module/instance.h"

#include "base/context.h"

#include <string.h>

static void on_message(void *user, const hol_message *message) {
    const fmu_sink *sink = user;
    char text[1024];
    hol_message_format(message, text, sizeof text);
    sink->tell(sink->user, message->severity, text);
}

void fmu_listen(hol_context *ctx, fmu_sink *sink) {
    hol_context_on_message(ctx, on_message, sink);
}

/* The state in words. */
static const char *word(hol__fmu_state state) {
    switch (state) {
    case HOL__FMU_INSTANTIATED: return "after it was instantiated";
    case HOL__FMU_INITIALIZATION: return "in initialization mode";
    case HOL__FMU_EVENT: return "in event mode";
    case HOL__FMU_CONTINUOUS: return "in continuous-time mode";
    case HOL__FMU_STEP: return "in step mode";
    case HOL__FMU_INTERMEDIATE: return "within an intermediate update";
    case HOL__FMU_TERMINATED: return "after it was terminated";
    default: return "after an error; reset it, or load a state";
    }
}

int fmu_may(const hol__fmu *c, const fmu_call *call) {
    if ((c->exchange ? call->exchange : call->simulation) & (unsigned)c->state) return 1;
    hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call->name, "may not be called %s",
                word(c->state));
    return 0;
}

hol_status fmu_need(const hol__fmu *c, const char *call, size_t n, const void *array) {
    if (!n || array) return HOL_OK;
    return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call, "an argument is missing");
}

int fmu_after(hol__fmu *c, hol_status status) {
    if (status && status != HOL_ERR_ARGUMENT) c->state = HOL__FMU_FAILED;
    hol_message_clear(c->ctx);
    return status != HOL_OK;
}
