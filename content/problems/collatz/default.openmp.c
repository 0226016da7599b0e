#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* follow a number until it is 1 */
  }
  return 0;
}
