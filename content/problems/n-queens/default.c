#include <stdio.h>

int main(void) {
  /* place the queens row by row */
  return 0;
}
