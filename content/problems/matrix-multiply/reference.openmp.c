#include <stdio.h>

static int a[200][200], b[200][200], c[200][200];

static int readMatrix(int n, int m[200][200]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (scanf("%d", &m[i][j]) != 1) return 0;
  return 1;
}

int main(void) {
  int n;
  if (scanf("%d", &n) != 1 || !readMatrix(n, a) || !readMatrix(n, b)) return 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) printf("%d%c", c[i][j], j + 1 < n ? ' ' : '\n');
  return 0;
}
