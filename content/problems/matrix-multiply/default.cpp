#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  // c[i][j] += a[i][k] * b[k][j]
  return 0;
}
