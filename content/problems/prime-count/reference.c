#include <stdio.h>
#include <stdlib.h>
#define LIMIT 5000000

static unsigned char composite[LIMIT + 1];
static int upto[LIMIT + 1];

int main(void) {
  for (long p = 2; p * p <= LIMIT; p++)
    if (!composite[p])
      for (long m = p * p; m <= LIMIT; m += p) composite[m] = 1;
  for (int n = 2; n <= LIMIT; n++) upto[n] = upto[n - 1] + !composite[n];
  int q;
  if (scanf("%d", &q) != 1) return 1;
  while (q-- > 0) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\n", upto[b] - upto[a - 1]);
  }
  return 0;
}
