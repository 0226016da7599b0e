/* crash.c - particles in a list: where is the one that somebody asks for? */
#include <stdio.h>
#include <stdlib.h>

typedef struct particle {
  int id;
  double x, y;
  struct particle *next;
} Particle;

/* Puts a new particle in front of the list; every seventh has left the box. */
static Particle *make_particles(int count) {
  Particle *first = NULL;
  for (int id = 0; id < count; id++) {
    if (id % 7 == 6) continue;
    Particle *made = malloc(sizeof *made);
    made->id = id;
    made->x = (id * 37) % 100 / 100.0;
    made->y = (id * 61) % 100 / 100.0;
    made->next = first;
    first = made;
  }
  return first;
}

static Particle *find(Particle *first, int id) {
  Particle *one = first;
  while (one != NULL && one->id != id) one = one->next;
  return one;
}

static void tell(Particle *first, int id) {
  Particle *found = find(first, id);
  if (found == NULL) {
    printf("particle %d: not found\n", id);
    return;
  }
  printf("particle %d: %.2f %.2f\n", found->id, found->x, found->y);
}

int main(void) {
  Particle *particles = make_particles(1000);
  for (int id = 0; id < 1000; id += 3) tell(particles, id);
  while (particles != NULL) {
    Particle *next = particles->next;
    free(particles);
    particles = next;
  }
  return 0;
}
