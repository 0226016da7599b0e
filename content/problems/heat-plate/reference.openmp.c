#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n, s, q;
  double top, bottom, left, right;
  if (scanf("%d %d %d %lf %lf %lf %lf", &n, &s, &q, &top, &bottom, &left, &right) != 7) return 1;
  double *now = calloc((size_t)n * n, sizeof *now), *next = calloc((size_t)n * n, sizeof *next);
  for (int i = 0; i < n; i++) {
    now[i * n] = next[i * n] = left;
    now[i * n + n - 1] = next[i * n + n - 1] = right;
  }
  for (int j = 0; j < n; j++) {
    now[j] = next[j] = top;
    now[(n - 1) * n + j] = next[(n - 1) * n + j] = bottom;
  }
  /* One team for all steps; the loop's own barrier separates them. */
#pragma omp parallel firstprivate(now, next)
  for (int step = 0; step < s; step++) {
#pragma omp for schedule(static)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]) / 4;
    double *swap = now;
    now = next;
    next = swap;
  }
  double *result = s % 2 ? next : now;
  while (q-- > 0) {
    int i, j;
    if (scanf("%d %d", &i, &j) != 2) return 1;
    printf("%.6f\n", result[i * n + j]);
  }
  return 0;
}
