#include <iostream>

int main() {
  std::ios::sync_with_stdio(false);
  // f(i, j)
  return 0;
}
