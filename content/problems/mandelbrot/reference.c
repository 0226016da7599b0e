#include <stdio.h>

static int stays(double cx, double cy, int k) {
  double x = 0, y = 0;
  for (int step = 0; step < k; step++) {
    double xx = x * x, yy = y * y;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    if (x * x + y * y > 4) return 0;
  }
  return 1;
}

int main(void) {
  int n, k;
  if (scanf("%d %d", &n, &k) != 2) return 1;
  long count = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) count += stays(-2 + 3 * (j + 0.5) / n, -1.5 + 3 * (i + 0.5) / n, k);
  printf("%ld\n", count);
  return 0;
}
