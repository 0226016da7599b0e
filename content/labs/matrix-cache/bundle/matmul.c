/* matmul.c - C = A B for square matrices, in several loop orders.
 *
 * usage: matmul KERNEL N        KERNEL: ijk, ikj, jki, blocked
 *
 * Element (i, j) of a matrix lies at index i * n + j: a row is contiguous, a column is not.
 *
 * Exercise 1: write ikj and jki. The body of the loops stays the same, only their order changes.
 * Exercise 2: write blocked: cut the three loops into blocks of BLOCK and use the order ikj inside. It
 *             must also work when n is not a multiple of BLOCK.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BLOCK
#define BLOCK 64
#endif

/* Every kernel adds A B to C, which is zero at the start. */
static void ijk(int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}

static void ikj(int n, const double *A, const double *B, double *C) {
  (void)n, (void)A, (void)B, (void)C; /* ... yours; delete this line ... */
}

static void jki(int n, const double *A, const double *B, double *C) {
  (void)n, (void)A, (void)B, (void)C; /* ... yours; delete this line ... */
}

static void blocked(int n, const double *A, const double *B, double *C) {
  (void)n, (void)A, (void)B, (void)C; /* ... yours; delete this line ... */
}

static const struct {
  const char *name;
  void (*multiply)(int, const double *, const double *, double *);
} kernels[] = {{"ijk", ijk}, {"ikj", ikj}, {"jki", jki}, {"blocked", blocked}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Freivalds' check: C = A B implies C v = A (B v). Three matrix-vector products instead of n^3 work. */
static double largest_error(int n, const double *A, const double *B, const double *C) {
  double *v = malloc(2 * n * sizeof *v), *bv = v + n, largest = 0;
  for (int i = 0; i < n; i++) v[i] = rand() / (double)RAND_MAX - 0.5;
  for (int i = 0; i < n; i++) {
    bv[i] = 0;
    for (int j = 0; j < n; j++) bv[i] += B[i * n + j] * v[j];
  }
  for (int i = 0; i < n; i++) {
    double difference = 0;
    for (int j = 0; j < n; j++) difference += C[i * n + j] * v[j] - A[i * n + j] * bv[j];
    if (fabs(difference) > largest) largest = fabs(difference);
  }
  free(v);
  return largest;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "ijk";
  const int n = argc > 2 ? atoi(argv[2]) : 512;
  const size_t bytes = (size_t)n * n * sizeof(double);
  double *A = malloc(bytes), *B = malloc(bytes), *C = malloc(bytes);
  for (int i = 0; i < n * n; i++) {
    A[i] = rand() / (double)RAND_MAX - 0.5;
    B[i] = rand() / (double)RAND_MAX - 0.5;
  }

  for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
    if (strcmp(kernels[k].name, name) != 0) continue;
    memset(C, 0, bytes);
    const double start = now();
    kernels[k].multiply(n, A, B, C);
    const double seconds = now() - start;
    const int right = largest_error(n, A, B, C) < 1e-12 * n;
    printf("%-8s n %4d  %s  %.4f s  %.3f GFLOP/s\n", name, n, right ? "right" : "WRONG", seconds,
           2.0 * n * n * n / seconds / 1e9);
    free(A), free(B), free(C);
    return right ? 0 : 1;
  }
  fprintf(stderr, "usage: matmul ijk|ikj|jki|blocked N\n");
  return 2;
}
