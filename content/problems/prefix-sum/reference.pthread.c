#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4

static int n;
static long long *a;
static long long start[THREADS + 1];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  int me = (int)(size_t)argument;
  int from = (int)((long long)n * me / THREADS);
  int to = (int)((long long)n * (me + 1) / THREADS);
  long long sum = 0;
  for (int i = from; i < to; i++) sum += a[i];
  start[me + 1] = sum;
  pthread_barrier_wait(&barrier);
  if (me == 0)
    for (int i = 1; i <= THREADS; i++) start[i] += start[i - 1];
  pthread_barrier_wait(&barrier);
  sum = start[me];
  for (int i = from; i < to; i++) a[i] = sum += a[i];
  return NULL;
}

int main(void) {
  if (scanf("%d", &n) != 1) return 1;
  a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    if (scanf("%lld", &a[i]) != 1) return 1;
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < n; i++) printf("%lld%c", a[i], i + 1 < n ? ' ' : '\n');
  free(a);
  return 0;
}
