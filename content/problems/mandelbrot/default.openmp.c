#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* count the cells that do not escape */
  }
  return 0;
}
