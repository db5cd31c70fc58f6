/* stages.h: the explicit Runge-Kutta formulas of the library, for generated code. */
#ifndef HOL_GENERATE_STAGES_H
#define HOL_GENERATE_STAGES_H

typedef struct hol__gstages {
    const char *name, *title;
    int n;     /* stages that are evaluated */
    int width; /* of a row of a */
    const double *a, *b, *c;
} hol__gstages;

/* The formula of that name; 0 where there is none that is explicit and of Runge and Kutta. */
int hol__gstages_find(const char *name, hol__gstages *out);

#endif
