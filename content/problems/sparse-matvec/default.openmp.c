#include <omp.h>
#include <stdio.h>

int main(void) {
  /* y[i] += val[k] * x[col[k]] */
  return 0;
}
