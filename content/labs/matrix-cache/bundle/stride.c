/* stride.c - read the same number of elements, with ever larger steps between them.
 *
 * usage: stride
 *
 * Every round reads all N elements of the array exactly once; only the order differs: with stride s it
 * goes 0, s, 2s, ..., then 1, s+1, ..., and so on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void) {
  const long n = 1L << 23; /* 8 Mi numbers of 8 bytes: 64 MiB, more than most caches hold */
  double *a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++) a[i] = i % 2;

  for (long stride = 1; stride <= 4096; stride *= 2) {
    double best = 1e9, sum = 0;
    for (int repeat = 0; repeat < 2; repeat++) {
      const double start = now();
      sum = 0;
      for (long first = 0; first < stride; first++) {
        for (long i = first; i < n; i += stride) sum += a[i];
      }
      const double seconds = now() - start;
      if (seconds < best) best = seconds;
    }
    printf("stride %4ld  bytes %5ld  sum %ld  %.3f ns/element\n", stride, 8 * stride, (long)sum,
           1e9 * best / n);
  }
  free(a);
  return 0;
}
