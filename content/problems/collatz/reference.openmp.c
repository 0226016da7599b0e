#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  int best = 1, longest = 1;
#pragma omp parallel
  {
    int mine = 1, my_longest = 1;
#pragma omp for schedule(dynamic, 1024) nowait
    for (int start = 2; start <= n; start++) {
      int steps = 1;
      for (long x = start; x != 1; steps++) x = x % 2 ? 3 * x + 1 : x / 2;
      if (steps > my_longest || (steps == my_longest && start < mine)) mine = start, my_longest = steps;
    }
#pragma omp critical
    if (my_longest > longest || (my_longest == longest && mine < best)) best = mine, longest = my_longest;
  }
  printf("%d %d\n", best, longest);
  return 0;
}
