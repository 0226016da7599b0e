/* where.c - which rank runs on which node, and how many share it? */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(host, &length);

  int local_rank, local_size;
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &local_rank);
  MPI_Comm_size(here, &local_size);

  printf("rank %d of %d on %s: %d of %d here\n", rank, size, host, local_rank, local_size);

  MPI_Comm_free(&here);
  MPI_Finalize();
  return 0;
}
