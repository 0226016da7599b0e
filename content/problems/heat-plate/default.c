#include <stdio.h>

int main(void) {
  /* one step of the inner points */
  return 0;
}
