#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* sieve, then answer from prefix sums */
  }
  return 0;
}
