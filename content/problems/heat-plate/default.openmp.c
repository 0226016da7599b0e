#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* one step of the inner points */
  }
  return 0;
}
