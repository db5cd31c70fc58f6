/* student.h: Student's distribution. */
#ifndef HOL_MATH_STUDENT_H
#define HOL_MATH_STUDENT_H

/* t with P(|T| <= t) = share for T of so many degrees of freedom (> 0), 0 < share < 1. */
double hol__student_quantile(double freedom, double share);

#endif
