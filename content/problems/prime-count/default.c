#include <stdio.h>

int main(void) {
  /* sieve, then answer from prefix sums */
  return 0;
}
