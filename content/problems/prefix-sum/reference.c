#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  long long sum = 0;
  for (int i = 0; i < n; i++) {
    long long a;
    if (scanf("%lld", &a) != 1) return 1;
    sum += a;
    printf("%lld%c", sum, i + 1 < n ? ' ' : '\n');
  }
  return 0;
}
