#include <stdio.h>

int main(void) {
  /* count the cells that do not escape */
  return 0;
}
