#include <stdio.h>

int main(void) {
  /* one step at a time */
  return 0;
}
