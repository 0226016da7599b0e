#include <stdio.h>
#include <stdlib.h>

static long long *readNumbers(int count) {
  long long *numbers = malloc((count + 1) * sizeof *numbers);
  for (int i = 0; i < count; i++)
    if (scanf("%lld", &numbers[i]) != 1) exit(1);
  return numbers;
}

int main(void) {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2) return 1;
  long long *ptr = readNumbers(n + 1), *col = readNumbers(m);
  long long *val = readNumbers(m), *x = readNumbers(n);
  long long *y = calloc(n, sizeof *y);
  for (int i = 0; i < n; i++)
    for (long long k = ptr[i]; k < ptr[i + 1]; k++) y[i] += val[k] * x[col[k]];
  for (int i = 0; i < n; i++) printf("%lld%c", y[i], i + 1 < n ? ' ' : '\n');
  return 0;
}
