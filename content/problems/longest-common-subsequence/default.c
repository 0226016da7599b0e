#include <stdio.h>

int main(void) {
  /* f(i, j) */
  return 0;
}
