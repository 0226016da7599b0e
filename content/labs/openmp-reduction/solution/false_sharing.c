/* false_sharing.c - every thread counts in a counter of its own, and still they slow each other down.
 *
 * The additions are atomic, as they must be in a statistics counter that others may read at any time.
 *
 * usage: false_sharing N
 */
#include <omp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64, MAX_THREADS = 64 };

struct packed {
  long count;
};

struct padded {
  alignas(LINE) long count; /* the size grows to one line with the alignment */
};

static struct packed packed[MAX_THREADS];
static struct padded padded[MAX_THREADS];

static double count_packed(long n) {
  const double start = omp_get_wtime();
#pragma omp parallel
  {
    struct packed *mine = &packed[omp_get_thread_num()];
    for (long i = 0; i < n; i++) {
#pragma omp atomic
      mine->count++;
    }
  }
  return omp_get_wtime() - start;
}

static double count_padded(long n) {
  const double start = omp_get_wtime();
#pragma omp parallel
  {
    struct padded *mine = &padded[omp_get_thread_num()];
    for (long i = 0; i < n; i++) {
#pragma omp atomic
      mine->count++;
    }
  }
  return omp_get_wtime() - start;
}

/* How many of the first `threads` counters share their line with another one? */
static int neighbours(uintptr_t first, size_t size, int threads) {
  int sharing = 0;
  for (int a = 0; a < threads; a++) {
    for (int b = 0; b < threads; b++) {
      if (a != b && (first + a * size) / LINE == (first + b * size) / LINE) {
        sharing++;
        break;
      }
    }
  }
  return sharing;
}

static void report(const char *name, uintptr_t first, size_t size, int threads, long total, long n,
                   double seconds) {
  printf("%s  %2zu bytes each  %d of %d share a line  %s  %.3f ns/addition\n", name, size,
         neighbours(first, size, threads), threads, total == n * threads ? "right" : "WRONG",
         1e9 * seconds / n);
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 20000000;
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  if (threads > MAX_THREADS) return fprintf(stderr, "at most %d threads\n", MAX_THREADS), 1;

  const double slow = count_packed(n);
  const double fast = count_padded(n);
  long total_packed = 0, total_padded = 0;
  for (int t = 0; t < threads; t++) {
    total_packed += packed[t].count;
    total_padded += padded[t].count;
  }
  report("packed", (uintptr_t)packed, sizeof packed[0], threads, total_packed, n, slow);
  report("padded", (uintptr_t)padded, sizeof padded[0], threads, total_padded, n, fast);
  printf("ratio %.1f\n", slow / fast);
  return 0;
}
