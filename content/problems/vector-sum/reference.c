#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  long long *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    if (scanf("%lld", &a[i]) != 1) return 1;
  for (int i = 0; i < n; i++) {
    long long b;
    if (scanf("%lld", &b) != 1) return 1;
    printf("%lld%c", a[i] + b, i + 1 < n ? ' ' : '\n');
  }
  free(a);
  return 0;
}
