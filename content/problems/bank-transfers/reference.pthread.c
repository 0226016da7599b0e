#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct transfer {
  int counter, from, to, amount;
};

static int n, t, m;
static long balance[1000];
static pthread_mutex_t lock[1000];
static struct transfer *transfers;

static void *serve(void *argument) {
  int counter = (int)(long)argument;
  for (int i = 0; i < m; i++) {
    struct transfer it = transfers[i];
    if (it.counter != counter || it.from == it.to) continue;
    int low = it.from < it.to ? it.from : it.to, high = it.from + it.to - low;
    pthread_mutex_lock(&lock[low]);
    pthread_mutex_lock(&lock[high]);
    balance[it.from] -= it.amount;
    balance[it.to] += it.amount;
    pthread_mutex_unlock(&lock[high]);
    pthread_mutex_unlock(&lock[low]);
  }
  return NULL;
}

int main(void) {
  if (scanf("%d %d %d", &n, &t, &m) != 3) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%ld", &balance[i]) != 1) return 1;
    pthread_mutex_init(&lock[i], NULL);
  }
  transfers = malloc((size_t)m * sizeof *transfers);
  for (int i = 0; i < m; i++)
    if (scanf("%d %d %d %d", &transfers[i].counter, &transfers[i].from, &transfers[i].to, &transfers[i].amount) != 4)
      return 1;
  pthread_t threads[8];
  for (long k = 0; k < t; k++) pthread_create(&threads[k], NULL, serve, (void *)k);
  for (int k = 0; k < t; k++) pthread_join(threads[k], NULL);
  for (int i = 0; i < n; i++) printf("%ld%c", balance[i], i + 1 < n ? ' ' : '\n');
  return 0;
}
