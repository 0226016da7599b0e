#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct best {
  int value, place;
};

int main(int argc, char **argv) {
  int rank, size, n = 0, *all = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    if (scanf("%d", &n) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
    all = malloc((size_t)n * sizeof *all);
    for (int i = 0; i < n; i++)
      if (scanf("%d", &all[i]) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int *counts = malloc((size_t)size * sizeof *counts), *starts = malloc((size_t)size * sizeof *starts);
  for (int r = 0; r < size; r++) {
    starts[r] = (int)((long)n * r / size);
    counts[r] = (int)((long)n * (r + 1) / size) - starts[r];
  }
  int *mine = malloc((size_t)(counts[rank] + 1) * sizeof *mine);
  MPI_Scatterv(all, counts, starts, MPI_INT, mine, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
  struct best known = {-2000000000, n};
  for (int i = 0; i < counts[rank]; i++)
    if (mine[i] > known.value) known = (struct best){mine[i], starts[rank] + i};
  /* After size - 1 steps everybody has seen what everybody knew. */
  struct best travelling = known;
  for (int step = 1; step < size; step++) {
    struct best coming;
    MPI_Sendrecv(&travelling, 2, MPI_INT, (rank + 1) % size, 0, &coming, 2, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (coming.value > known.value || (coming.value == known.value && coming.place < known.place)) known = coming;
    travelling = coming;
  }
  if (rank == 0) printf("%d %d\n", known.value, known.place);
  MPI_Finalize();
  return 0;
}
