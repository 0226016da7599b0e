#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

struct Transfer {
  int from, to, amount;
};

int main() {
  int n, t, m;
  if (std::scanf("%d %d %d", &n, &t, &m) != 3) return 1;
  std::vector<std::atomic<long>> balance(n);
  for (auto &one : balance) {
    long value;
    if (std::scanf("%ld", &value) != 1) return 1;
    one = value;
  }
  std::vector<std::vector<Transfer>> work(t);
  while (m-- > 0) {
    int k;
    Transfer it;
    if (std::scanf("%d %d %d %d", &k, &it.from, &it.to, &it.amount) != 4) return 1;
    work[k].push_back(it);
  }
  std::vector<std::thread> counters;
  for (const auto &mine : work)
    counters.emplace_back([&balance, &mine] {
      for (const auto &it : mine) {
        balance[it.from].fetch_sub(it.amount, std::memory_order_relaxed);
        balance[it.to].fetch_add(it.amount, std::memory_order_relaxed);
      }
    });
  for (auto &counter : counters) counter.join();
  for (int i = 0; i < n; i++) std::printf("%ld%c", balance[i].load(), i + 1 < n ? ' ' : '\n');
}
