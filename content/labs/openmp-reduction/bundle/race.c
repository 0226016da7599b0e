/* race.c - four threads count to n together, and lose count.
 *
 * usage: race N RUNS
 *
 * Compile without optimisation (-O0), so that "count += 1" stays what it looks like to the processor:
 * load, add, store.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 20000000;
  const int runs = argc > 2 ? atoi(argv[2]) : 10;

  int wrong = 0;
  for (int run = 0; run < runs; run++) {
    long count = 0;
#pragma omp parallel for num_threads(4)
    for (long i = 0; i < n; i++) {
      count += 1; /* shared by all threads, protected by nobody */
    }
    wrong += count != n;
    printf("run %2d: %ld\n", run, count);
  }
  printf("%d of %d runs wrong\n", wrong, runs);
  return 0;
}
