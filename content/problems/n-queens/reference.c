#include <stdio.h>

static long place(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all) return 1;
  long count = 0;
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    unsigned queen = free & -free;
    count += place(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  printf("%ld\n", place((1u << n) - 1, 0, 0, 0));
  return 0;
}
