#include <stdio.h>
#include <string.h>

static char now[128][129], next[128][129];

int main(void) {
  int n, m, steps;
  if (scanf("%d %d %d", &n, &m, &steps) != 3) return 1;
  for (int i = 0; i < n; i++)
    if (scanf("%128s", now[i]) != 1) return 1;
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int alive = 0;
        for (int a = n - 1; a <= n + 1; a++)
          for (int b = m - 1; b <= m + 1; b++)
            if (a != n || b != m) alive += now[(i + a) % n][(j + b) % m] == '#';
        next[i][j] = alive == 3 || (alive == 2 && now[i][j] == '#') ? '#' : '.';
      }
    memcpy(now, next, sizeof now);
  }
  for (int i = 0; i < n; i++) printf("%.*s\n", m, now[i]);
  return 0;
}
