#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
  std::string s, t;
  std::cin >> s >> t;
  std::vector<int> row(t.size() + 1);
  for (char c : s) {
    int corner = 0;
    for (std::size_t j = 1; j <= t.size(); j++) {
      const int above = row[j];
      row[j] = c == t[j - 1] ? corner + 1 : std::max(row[j], row[j - 1]);
      corner = above;
    }
  }
  std::cout << row.back() << '\n';
  return 0;
}
