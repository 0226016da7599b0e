#include <pthread.h>
#include <stdio.h>

#define THREADS 4

static void *work(void *argument) {
  /* one step of the inner points */
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
