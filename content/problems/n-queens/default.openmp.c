#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* place the queens row by row */
  }
  return 0;
}
