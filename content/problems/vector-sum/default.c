#include <stdio.h>

int main(void) {
  /* c[i] = a[i] + b[i] */
  return 0;
}
