#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define LIMIT 5000000
#define SEGMENT 32768

static unsigned char composite[LIMIT + 1];
static int upto[LIMIT + 1];

int main(void) {
  int base[400], bases = 0;
  for (int n = 2; n * n <= LIMIT; n++) {
    int prime = 1;
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0) { prime = 0; break; }
    if (prime) base[bases++] = n;
  }
  /* Each segment is sieved by one thread alone. */
#pragma omp parallel for schedule(dynamic)
  for (int low = 0; low <= LIMIT; low += SEGMENT) {
    long high = low + SEGMENT - 1 < LIMIT ? low + SEGMENT - 1 : LIMIT;
    for (int i = 0; i < bases; i++) {
      long p = base[i], first = (low + p - 1) / p * p;
      if (first < p * p) first = p * p;
      for (long m = first; m <= high; m += p) composite[m] = 1;
    }
  }
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
