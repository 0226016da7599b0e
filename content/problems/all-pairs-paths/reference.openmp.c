#include <stdio.h>
#include <stdlib.h>
#define FAR 1000000000

static int d[400][400];

int main(void) {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2) return 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) d[i][j] = i == j ? 0 : FAR;
  while (m-- > 0) {
    int u, v, w;
    if (scanf("%d %d %d", &u, &v, &w) != 3) return 1;
    if (w < d[u][v]) d[u][v] = w;
  }
  /* The team is made once; the inner loop's barrier keeps the steps of k apart. */
#pragma omp parallel
  for (int k = 0; k < n; k++) {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      int via = d[i][k];
      if (via == FAR) continue;
      for (int j = 0; j < n; j++)
        if (via + d[k][j] < d[i][j]) d[i][j] = via + d[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) printf("%d%c", d[i][j] >= FAR ? -1 : d[i][j], j + 1 < n ? ' ' : '\n');
  return 0;
}
