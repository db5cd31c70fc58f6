/* work.c: the work shared among threads: first the independent programs, then the rows, each the
 * next one that nobody has taken. */
#include "validate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of work that are taken one after the other. */
typedef struct queue {
    const setting *set;
    void **pieces;
    int n;
    void (*work)(const setting *set, void *piece);
    atomic_int next;
} queue;

static void *serve(void *argument) {
    queue *q = argument;
    for (int i; (i = atomic_fetch_add(&q->next, 1)) < q->n;) q->work(q->set, q->pieces[i]);
    return NULL;
}

static void share(queue *q) {
    enum { MOST = 64 };
    pthread_t threads[MOST];
    int n = 0;
    atomic_init(&q->next, 0);
    while (n < q->set->jobs - 1 && n < MOST && pthread_create(&threads[n], NULL, serve, q) == 0)
        n++;
    serve(q);
    while (n > 0) pthread_join(threads[--n], NULL);
}

static void make_reference(const setting *set, void *piece) {
    reference_make(set, piece);
    listed_judge(piece);
}

static void make_row(const setting *set, void *piece) {
    row *r = piece;
    if (r->of->failure[0])
        r->verdict = VERDICT_FAIL;
    else
        row_run(set, r);
    fputs(r->verdict == VERDICT_FAIL ? "x" : ".", stderr);
}

/* Leave what is not asked for: other mechanisms than the one that is named; of the quick sample all
 * but its rows. */
static void choose(const setting *set, subject *s) {
    const int asked = !set->only || strcmp(set->only, s->key) == 0;
    int rows = 0;
    for (int k = 0; k < s->n_rows; k++)
        if (asked && (!set->quick || s->rows[k].quick)) s->rows[rows++] = s->rows[k];
    s->n_rows = rows;
    if (!rows) s->n_listed = 0;
}

void work(const setting *set, table *t) {
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        choose(set, &t->subjects[i]);
        n += t->subjects[i].n_rows;
    }
    void **pieces = taken((size_t)n, sizeof *pieces);
    n = 0;
    for (int i = 0; i < t->n; i++)
        if (t->subjects[i].n_rows) pieces[n++] = &t->subjects[i];
    queue q = {.set = set, .pieces = pieces, .n = n, .work = make_reference};
    share(&q);
    n = 0;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->subjects[i].n_rows; k++) pieces[n++] = &t->subjects[i].rows[k];
    q = (queue){.set = set, .pieces = pieces, .n = n, .work = make_row};
    share(&q);
    fputs("\n", stderr);
    free(pieces);
}

tally tally_subject(const subject *s) {
    tally c = {0};
    for (int k = 0; k < s->n_rows; k++) c.rows[s->rows[k].verdict]++;
    for (int k = 0; k < s->n_listed; k++) c.listed[s->listed[k].verdict]++;
    return c;
}

tally tally_all(const table *t) {
    tally all = {0};
    for (int i = 0; i < t->n; i++) {
        const tally c = tally_subject(&t->subjects[i]);
        all.mechanisms += t->subjects[i].n_rows > 0;
        for (int k = 0; k < 3; k++) {
            all.rows[k] += c.rows[k];
            all.listed[k] += c.listed[k];
        }
    }
    return all;
}
