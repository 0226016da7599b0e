#include <stdio.h>

int main(void) {
  /* c[i][j] += a[i][k] * b[k][j] */
  return 0;
}
