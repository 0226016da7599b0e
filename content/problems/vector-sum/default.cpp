#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  // c[i] = a[i] + b[i]
  return 0;
}
