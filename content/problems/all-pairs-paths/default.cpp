#include <cstdio>

int main() {
  // d[i][j] = min(d[i][j], d[i][k] + d[k][j])
}
