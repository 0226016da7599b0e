#include <omp.h>
#include <stdio.h>

int main(void) {
  /* count[a[i]]++, without a race */
  return 0;
}
