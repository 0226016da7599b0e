#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int *length = calloc((size_t)n + 1, sizeof *length), best = 1;
  length[1] = 1;
  for (int start = 2; start <= n; start++) {
    long x = start;
    int steps = 0;
    while (x >= start) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      steps++;
    }
    length[start] = steps + length[x];
    if (length[start] > length[best]) best = start;
  }
  printf("%d %d\n", best, length[best]);
  return 0;
}
