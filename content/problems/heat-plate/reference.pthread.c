#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define THREADS 4

static int n, s;
static double *plate[2];
static pthread_barrier_t barrier;

static void *work(void *argument) {
  int rank = (int)(long)argument, inner = n - 2;
  int from = 1 + inner * rank / THREADS, to = 1 + inner * (rank + 1) / THREADS;
  for (int step = 0; step < s; step++) {
    const double *now = plate[step % 2];
    double *next = plate[(step + 1) % 2];
    for (int i = from; i < to; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = (now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]) / 4;
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  int q;
  double top, bottom, left, right;
  if (scanf("%d %d %d %lf %lf %lf %lf", &n, &s, &q, &top, &bottom, &left, &right) != 7) return 1;
  for (int k = 0; k < 2; k++) {
    plate[k] = calloc((size_t)n * n, sizeof *plate[k]);
    for (int i = 0; i < n; i++) {
      plate[k][i * n] = left;
      plate[k][i * n + n - 1] = right;
    }
    for (int j = 0; j < n; j++) {
      plate[k][j] = top;
      plate[k][(n - 1) * n + j] = bottom;
    }
  }
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (long rank = 0; rank < THREADS; rank++) pthread_create(&threads[rank], NULL, work, (void *)rank);
  for (int rank = 0; rank < THREADS; rank++) pthread_join(threads[rank], NULL);
  while (q-- > 0) {
    int i, j;
    if (scanf("%d %d", &i, &j) != 2) return 1;
    printf("%.6f\n", plate[s % 2][i * n + j]);
  }
  return 0;
}
