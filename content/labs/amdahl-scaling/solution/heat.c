/* heat.c - heat flows through a square plate whose edge is kept at 0; with a snapshot now and then.
 *
 * usage: heat N STEPS EVERY     N x N inner points, a snapshot after every EVERY steps (0: none)
 *
 * The update of the plate can be shared among threads; taking a snapshot is the serial part. The program
 * reports how long each of them took, and which share of the time was serial.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static const double R = 0.2; /* time step over grid spacing squared; stable up to 0.25 */

/* One explicit step. owner[i] remembers which thread worked on row i. */
static void update(int n, const double *u, double *next, int *owner) {
  const int w = n + 2; /* one row holds n inner points and two edge points */
#pragma omp parallel for schedule(static)
  for (int i = 1; i <= n; i++) {
    owner[i] = omp_get_thread_num();
    for (int j = 1; j <= n; j++) {
      const int c = i * w + j;
      next[c] = u[c] + R * (u[c - 1] + u[c + 1] + u[c - w] + u[c + w] - 4 * u[c]);
    }
  }
}

/* Turn the plate into grey values, one after the other: this part stays serial. */
static void snapshot(int n, const double *u, unsigned char *picture) {
  const int w = n + 2;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= n; j++) {
      picture[(i - 1) * n + j - 1] = (unsigned char)(255 * sqrt(fabs(u[i * w + j])));
    }
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 800;
  const int steps = argc > 2 ? atoi(argv[2]) : 200;
  const int every = argc > 3 ? atoi(argv[3]) : 10;
  const int w = n + 2;

  double *u = calloc(2L * w * w, sizeof *u), *next = u + (long)w * w;
  unsigned char *picture = malloc((long)n * n);
  int *owner = calloc(w, sizeof *owner);
  double *const memory = u;

  /* A single sine wave keeps its shape and shrinks by the same factor in every step, exactly. */
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= n; j++) u[i * w + j] = sin(M_PI * i / (n + 1)) * sin(M_PI * j / (n + 1));
  }
  const double shrink = 1 - 8 * R * pow(sin(M_PI / (2 * (n + 1))), 2);
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads(); /* also wakes the threads up before the clock starts */

  double parallel = 0, serial = 0;
  for (int step = 1; step <= steps; step++) {
    const double t0 = omp_get_wtime();
    update(n, u, next, owner);
    const double t1 = omp_get_wtime();
    if (every > 0 && step % every == 0) snapshot(n, next, picture);
    const double t2 = omp_get_wtime();
    parallel += t1 - t0;
    serial += t2 - t1;
    double *const swap = u;
    u = next;
    next = swap;
  }

  double error = 0;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= n; j++) {
      const double exact =
          pow(shrink, steps) * sin(M_PI * i / (n + 1)) * sin(M_PI * j / (n + 1));
      error = fmax(error, fabs(u[i * w + j] - exact));
    }
  }
  int workers = 0;
  for (int t = 0; t < threads; t++) {
    for (int i = 1; i <= n; i++) {
      if (owner[i] == t) {
        workers++;
        break;
      }
    }
  }

  printf("threads %d  workers %d  seconds %.4f  parallel %.4f  serial %.4f  share %.4f  %s\n", threads,
         workers, parallel + serial, parallel, serial, serial / (parallel + serial),
         error < 1e-11 ? "right" : "WRONG");
  free(memory);
  free(picture);
  free(owner);
  return error < 1e-11 ? 0 : 1;
}
