#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2) return 1;
  int *count = calloc(m, sizeof *count);
  for (int i = 0; i < n; i++) {
    int a;
    if (scanf("%d", &a) != 1) return 1;
    count[a]++;
  }
  for (int i = 0; i < m; i++) printf("%d%c", count[i], i + 1 < m ? ' ' : '\n');
  free(count);
  return 0;
}
