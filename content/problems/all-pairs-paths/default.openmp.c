#include <omp.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    /* d[i][j] = min(d[i][j], d[i][k] + d[k][j]) */
  }
  return 0;
}
