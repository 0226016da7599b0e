#include <stdio.h>

int main(void) {
  /* add up one block */
  return 0;
}
