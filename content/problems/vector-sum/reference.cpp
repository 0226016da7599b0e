#include <iostream>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<long long> a(n);
  for (auto &x : a) std::cin >> x;
  for (int i = 0; i < n; i++) {
    long long b;
    std::cin >> b;
    std::cout << a[i] + b << (i + 1 < n ? ' ' : '\n');
  }
  return 0;
}
