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
  unsigned all = (1u << n) - 1;
  long count = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count)
  for (int column = 0; column < n; column++) {
    unsigned queen = 1u << column;
    count += place(all, queen, queen << 1, queen >> 1);
  }
  printf("%ld\n", count);
  return 0;
}
