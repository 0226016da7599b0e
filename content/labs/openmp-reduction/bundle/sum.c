/* sum.c - three ways to make a parallel sum right, and what each of them costs.
 *
 * usage: sum N
 *
 * Exercise 1: each function below has the race of race.c. Repair them with one directive (or one clause)
 * each, the one that the name of the function announces. Do not change anything else.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long sum_serial(const int *a, long n) {
  long sum = 0;
  for (long i = 0; i < n; i++) {
    sum += a[i];
  }
  return sum;
}

static long sum_critical(const int *a, long n) {
  long sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    sum += a[i];
  }
  return sum;
}

static long sum_atomic(const int *a, long n) {
  long sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    sum += a[i];
  }
  return sum;
}

static long sum_reduction(const int *a, long n) {
  long sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    sum += a[i];
  }
  return sum;
}

static void report(const char *name, long (*sum)(const int *, long), const int *a, long n) {
  const double start = omp_get_wtime();
  const long result = sum(a, n);
  const double seconds = omp_get_wtime() - start;
  const long expected = n / 7 * 21 + (n % 7) * (n % 7 - 1) / 2;
  printf("%-10s %12ld  %s  %8.3f ns/element\n", name, result, result == expected ? "right" : "WRONG",
         1e9 * seconds / n);
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 4000000;
  int *a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++) a[i] = i % 7; /* 0 + 1 + ... + 6 = 21 in every seven elements */

#pragma omp parallel
#pragma omp single
  printf("%d threads, %ld elements\n", omp_get_num_threads(), n); /* also wakes the threads up */

  report("serial", sum_serial, a, n);
  report("critical", sum_critical, a, n);
  report("atomic", sum_atomic, a, n);
  report("reduction", sum_reduction, a, n);
  free(a);
  return 0;
}
