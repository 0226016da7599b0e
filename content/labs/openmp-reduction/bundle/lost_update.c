/* lost_update.c - the race of race.c in slow motion, so that it goes wrong every single time.
 *
 * Each load and each store is atomic, hence nothing here is left to chance: the barrier makes all
 * threads load before any of them stores. Four threads add 1, and the sum is 1.
 */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int count = 0;
  int threads = 0;

#pragma omp parallel num_threads(4)
  {
#pragma omp single
    threads = omp_get_num_threads();

    int mine;
#pragma omp atomic read
    mine = count; /* load */
#pragma omp barrier
    mine = mine + 1; /* add */
#pragma omp atomic write
    count = mine; /* store */
  }

  printf("%d threads added 1 each, and the sum is %d\n", threads, count);
  return 0;
}
