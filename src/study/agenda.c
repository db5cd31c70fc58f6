/* agenda.c: open cases in pieces that become shorter towards the end. See agenda.h.
 *
 * With R cases left and P takers, the next P pieces have each
 *
 *     l = max(1, R/(4P))
 *
 * cases, after which R' = R - P l are left: factoring [Flynn Hummel, Schonberg, Flynn 1992] with a
 * quarter of the fair share R/P in place of half of it. Why a quarter: while one taker is at such a
 * piece the others do the remaining R - l; its own rate may be four times below theirs (another
 * job on its core, cases that take longer there) before they wait for it. Pieces are single cases
 * where fewer than 8 P are left, so that at the end takers wait for one case.
 *
 * R falls by 3/4 with every P pieces: a taker fetches ln(N/8P)/ln(4/3) + 8 times, 28 for a thousand
 * cases each and 44 for 10^5.
 */
#include "study/agenda.h"

enum { SHARE = 4 };

hol_status hol__agenda_init(hol__agenda *a, const hol_study *s, const hol__cases *cases,
                            long long takers) {
    *a = (hol__agenda){.ctx = s->ctx, .takers = takers > 1 ? takers : 1};
    for (long long k = 0; k < s->cases; k++) a->n += cases->state[k] == HOL__CASE_OPEN;
    if (a->n == s->cases) return HOL_OK;
    a->number = hol__alloc(s->ctx, (size_t)a->n + 1, sizeof *a->number);
    if (!a->number) return HOL_ERR_MEMORY;
    for (long long k = 0, place = 0; k < s->cases; k++)
        if (cases->state[k] == HOL__CASE_OPEN) a->number[place++] = k;
    return HOL_OK;
}

void hol__agenda_free(hol__agenda *a) {
    if (a->ctx) hol__release(a->ctx, a->number);
    a->number = NULL;
}

hol__piece_of hol__agenda_piece(const hol__agenda *a, long long i) {
    const long long takers = a->takers;
    long long begin = 0, left = a->n, length = left / (SHARE * takers);
    /* whole rounds of P pieces before it */
    while (i >= takers && length > 1) {
        begin += takers * length;
        left -= takers * length;
        length = left / (SHARE * takers);
        i -= takers;
    }
    if (length < 1) length = 1;
    begin = i < (a->n - begin) / length + 1 ? begin + i * length : a->n;
    const long long end = begin + length;
    return (hol__piece_of){begin < a->n ? begin : a->n, end < a->n ? end : a->n};
}
