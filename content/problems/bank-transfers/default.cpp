#include <cstdio>

int main() {
  // lock the lower account first
}
