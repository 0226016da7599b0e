/* pingpong.c - two ranks send one message to and fro: how long does it take?
 *
 * usage: mpirun -n 2 ./pingpong [LARGEST]     largest message in bytes, 4 MiB without it
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for one message of that size to get from rank 0 to rank 1. */
static double one_way(int rank, char *buffer, int bytes, int rounds) {
  int other = 1 - rank;
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int round = 0; round < rounds; round++) {
    if (rank == 0) {
      MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    }
  }
  double elapsed = MPI_Wtime() - start;
  return elapsed / rounds / 2;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size, length;
  char hosts[2][MPI_MAX_PROCESSOR_NAME] = {"", ""}, host[MPI_MAX_PROCESSOR_NAME] = "";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) {
    if (rank == 0) fprintf(stderr, "pingpong needs 2 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Get_processor_name(host, &length);
  MPI_Allgather(host, sizeof host, MPI_CHAR, hosts, sizeof host, MPI_CHAR, MPI_COMM_WORLD);

  int largest = argc > 1 ? atoi(argv[1]) : 4 << 20;
  char *buffer = malloc(largest);
  memset(buffer, rank == 0 ? 'x' : 0, largest);

  if (rank == 0) printf("# %s to %s\n#    bytes   microseconds       MB/s\n", hosts[0], hosts[1]);
  for (int bytes = 1; bytes <= largest; bytes *= 4) {
    int rounds = bytes < 65536 ? 500 : 50;
    one_way(rank, buffer, bytes, 10); /* the first messages set the connection up */
    double seconds = one_way(rank, buffer, bytes, rounds);
    if (rank == 0) printf("%10d %14.2f %10.1f\n", bytes, seconds * 1e6, bytes / seconds / 1e6);
  }
  if (rank == 1) printf("the ball %s\n", buffer[largest / 2] == 'x' ? "arrived" : "NEVER arrived");

  free(buffer);
  MPI_Finalize();
  return 0;
}
