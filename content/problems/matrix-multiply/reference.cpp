#include <iostream>
#include <vector>

using Matrix = std::vector<std::vector<int>>;

static Matrix read(int n) {
  Matrix m(n, std::vector<int>(n));
  for (auto &row : m)
    for (auto &x : row) std::cin >> x;
  return m;
}

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  const Matrix a = read(n), b = read(n);
  for (int i = 0; i < n; i++) {
    std::vector<int> row(n);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) row[j] += a[i][k] * b[k][j];
    for (int j = 0; j < n; j++) std::cout << row[j] << (j + 1 < n ? ' ' : '\n');
  }
  return 0;
}
