#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n, m;
  if (std::scanf("%d %d", &n, &m) != 2) return 1;
  const int far = 1'000'000'000;
  std::vector<std::vector<int>> d(n, std::vector<int>(n, far));
  for (int i = 0; i < n; i++) d[i][i] = 0;
  while (m-- > 0) {
    int u, v, w;
    if (std::scanf("%d %d %d", &u, &v, &w) != 3) return 1;
    d[u][v] = std::min(d[u][v], w);
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      const int via = d[i][k];
      if (via == far) continue;
      for (int j = 0; j < n; j++) d[i][j] = std::min(d[i][j], via + d[k][j]);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      std::printf("%d%c", d[i][j] >= far ? -1 : d[i][j], j + 1 < n ? ' ' : '\n');
}
