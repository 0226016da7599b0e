#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2) return 1;
  int *a = malloc(n * sizeof *a);
  int *count = calloc(m, sizeof *count);
  for (int i = 0; i < n; i++)
    if (scanf("%d", &a[i]) != 1) return 1;
#pragma omp parallel for reduction(+ : count[:m])
  for (int i = 0; i < n; i++) count[a[i]]++;
  for (int i = 0; i < m; i++) printf("%d%c", count[i], i + 1 < m ? ' ' : '\n');
  free(a);
  free(count);
  return 0;
}
