/* harmonic.c - 1 + 1/2 + ... + 1/n with a reduction: right, and yet different with every thread count.
 *
 * Addition of floating-point numbers is not associative: (a + b) + c need not be a + (b + c). Threads
 * change the grouping, so the last digits move.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 10000000;
  for (int threads = 1; threads <= 4; threads++) {
    double sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
    for (long i = 1; i <= n; i++) sum += 1.0 / i;
    printf("%d threads  %.17g\n", threads, sum);
  }
  return 0;
}
