#include <stdio.h>

int main(void) {
  /* follow a number until it is 1 */
  return 0;
}
