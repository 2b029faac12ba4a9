/* Student's t: its upper tail and its quantiles, to some fifteen digits at any degrees of freedom. */
#ifndef AGREEMENT_FAST_STUDENT_H
#define AGREEMENT_FAST_STUDENT_H

#include <math.h>

#include "chebyshev.h"

/* Degrees of freedom above which more make no difference. */
#define AF_ENDLESS 1e16
#define AF_SQRT_PI 1.7724538509055160273

/* The gamma function at a + 1/2, over that at a > 0: Stirling's series from 16 on (DLMF 5.11.1), steps
   of the recurrence below. */
static double af_gamma_ratio(double a) {
  double steps = 1.0, series[2];
  for (; a < 16.0; a += 1.0) steps *= a / (a + 0.5);
  for (int i = 0; i < 2; i++) {
    double z = 1.0 / (a + 0.5 * i), s = z * z;
    series[i] = z * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188))));
  }
  return steps * sqrt(a) * exp(a * log1p(0.5 / a) - 0.5 + series[1] - series[0]);
}

/* The share between 0 and t >= 0, for small t: a series of positive terms (DLMF 8.17.8). */
static double af_student_between(double df, double t) {
  double a = df / 2, u = t * t / df, y = u / (1 + u), sum = 1.0, term = 1.0;
  for (double n = 0.0; term > 1e-17 * sum; n += 1.0) {
    term *= (a + 0.5 + n) / (1.5 + n) * y;
    sum += term;
  }
  return sqrt(y) * exp(-a * log1p(u)) * af_gamma_ratio(a) / AF_SQRT_PI * sum;
}

/* The share beyond t >= 0: the even part of the continued fraction of DLMF 8.17.22, by Lentz's rule.
   Its terms are written with y = t²/(ν + t²), as 1 - y would lose digits. */
static double af_student_beyond(double df, double t) {
  if (isnan(df) || isnan(t)) return NAN;
  if (df > AF_ENDLESS) df = AF_ENDLESS;
  if (t * t < 2.0) return 0.5 - af_student_between(df, t);
  double a = df / 2, u = t * t / df;
  if (isinf(u)) return 0.0;
  double x = 1 / (1 + u), y = u / (1 + u), rest = (a + 0.5) * y + 0.5;
  double value = a / (a + 1) * rest, up = value, down = 0.0, change = 0.0;
  for (double n = 1.0; n < 1e4 && fabs(change - 1.0) > 1e-16; n += 1.0) {
    double w = n * (0.5 - n) * x, odd = a + 2 * n - 1;
    double over = (a + n - 1) * (a + n - 0.5) / odd * (w * x / odd);
    double under = n + w / odd + (a + n) / (odd + 2) * (rest + n * (1 + y));
    down = 1.0 / (under + over * down);
    up = under + over / up;
    change = up * down;
    value *= change;
  }
  return sqrt(y) * exp(-a * log1p(u)) * af_gamma_ratio(a) / AF_SQRT_PI / value / 2;
}

/* The number above which a share of at most one half lies, given the number for the normal
   distribution. Newton's steps: for small numbers on the share between, which rises less and less;
   for others on logarithms, where the tail is concave. */
static double af_student_quantile(double df, double beyond, double normal) {
  if (isnan(beyond) || !(df > 0)) return NAN;
  if (beyond == 0.0) return INFINITY;
  if (df > AF_ENDLESS) df = AF_ENDLESS;
  double t = normal, z = normal * normal, before = INFINITY, scale = af_gamma_ratio(df / 2) / AF_SQRT_PI / sqrt(df);
  if (df > 4) t += t * ((z + 1) / 4 + ((5 * z + 16) * z + 3) / 96 / df) / df; /* DLMF 26.7.5 */
  for (int i = 0; i < 200 && t > 0; i++) {
    double slope = scale * exp(-(df / 2 + 0.5) * log1p(t * t / df)) * t, ratio;
    if (t * t < 2.0) {
      ratio = 1 + (0.5 - beyond - af_student_between(df, t)) / slope;
    } else {
      double tail = af_student_beyond(df, t);
      ratio = exp(tail / slope * log(tail / beyond));
    }
    double step = fabs(ratio - 1);
    if (step >= before && step < 1e-8) break; /* rounding */
    t *= ratio;
    before = step;
    if (step < 1e-16) break;
  }
  return t;
}

/* Quantiles of one share for many degrees of freedom: as they are a smooth function of 1/df, a polynomial
   gives them from AF_SMOOTH degrees on, to the same digits. For shares below AF_EXTREME they differ so much
   that it would lose some. */
#define AF_SMOOTH 8.0
#define AF_EXTREME 1e-6

typedef struct {
  double beyond, normal, from, coefficients[AF_NODES]; /* from: NAN if none is fitted */
} af_quantiles;

static void af_fit_quantiles(af_quantiles *of, double beyond, double normal) {
  double values[AF_NODES];
  of->beyond = beyond;
  of->normal = normal;
  of->from = beyond < AF_EXTREME ? NAN : AF_SMOOTH;
  for (int k = 0; k < AF_NODES; k++)
    values[k] = af_student_quantile(2 * AF_SMOOTH / (1 + af_node(k)), beyond, normal);
  for (int m = 0; m < AF_NODES; m++) of->coefficients[m] = 0;
  for (int k = 0; k < AF_NODES; k++) {
    double before = 1, now = af_node(k);
    for (int m = 0; m < AF_NODES; m++) {
      const double next = 2 * af_node(k) * now - before;
      of->coefficients[m] += before * values[k] * 2 / AF_NODES;
      before = now;
      now = next;
    }
  }
}

static double af_fitted_quantile(const af_quantiles *of, double df) {
  if (!(df >= of->from)) return af_student_quantile(df, of->beyond, of->normal);
  const double x = 2 * AF_SMOOTH / df - 1;
  double one = 0, two = 0;
  for (int m = AF_NODES - 1; m > 0; m--) {
    const double sum = of->coefficients[m] + 2 * x * one - two;
    two = one;
    one = sum;
  }
  return of->coefficients[0] / 2 + x * one - two;
}

#endif
