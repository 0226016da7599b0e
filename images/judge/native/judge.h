/*
 * The judge's helper: compiles a submission and runs it on its tests, each in a box of its own.
 *
 *   keeper.c   main: stays resident, takes jobs from the platform, forks a runner for each
 *   runner.c   one job: compiles, runs the tests, tells each verdict
 *   stage.c    what all boxes of a job share: its root file system and its network
 *   box.c      one run: a process tree with limits that cannot outlive it
 *   filter.c   the system calls that a boxed program may not make
 *   groups.c   control groups, version 1 and 2
 *   compare.c  output against the expected one, as it streams
 *   frames.c   what the platform says, and lines of JSON back
 *
 * Chain of life: platform -> keeper -> runner -> pid 1 of a box -> everything in the box. Each
 * link dies with the one before it, whatever kills that one: the keeper by the end of its input,
 * runner and pid 1 by PR_SET_PDEATHSIG, the box because its pid 1 went.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WORK "/box"
#define SECOND_NS 1000000000LL

/* ---- frames.c ---- */

/** Bytes that grow; the end of memory ends the process, which its parent tells. */
struct bytes {
  char *at;
  size_t length, room;
};

void append(struct bytes *to, const void *from, size_t length);
void append_text(struct bytes *to, const char *text);
__attribute__((format(printf, 2, 3))) void append_format(struct bytes *to, const char *format, ...);
/** As base64, so that a line is plain ASCII whatever a program printed. */
void append_base64(struct bytes *to, const void *from, size_t length);
/** Writes all of it, or says that the reader is gone. */
bool write_all(int fd, const void *from, size_t length);

/**
 * Takes the next netstring (`<length>:<bytes>`) off a stretch of bytes.
 * @return 1 taken, 0 not all of it is there yet, -1 it is none
 */
int take_netstring(char **at, char *end, char **text, size_t *length);

struct limits {
  int64_t cpu_ms, wall_ms, memory, output, pids;
};

struct test {
  char *input, *expected;
  int input_fd, expected_fd;
};

struct job {
  long id;
  char *root, *source_name, *source;
  size_t source_length;
  char **compile, **run, **env;
  struct limits compiling, running;
  bool stops_at_failure;
  struct test *tests;
  size_t test_count;
};

/** Reads a job's pairs of name and value; they point into the frame. Null when it is malformed. */
struct job *read_job(char *at, char *end);

/* ---- groups.c ---- */

enum { GROUP_KINDS = 3 };

/** Control groups of this helper; a folder in each hierarchy that is used. */
struct groups {
  int version, count;
  int folder[GROUP_KINDS];
  char *path[GROUP_KINDS];
};

/** One run's group. */
struct account {
  const struct groups *of;
  int fd[GROUP_KINDS];
  int64_t sampled_peak;
};

/** @return null, or an English sentence on why there are none */
const char *open_groups(struct groups *groups);
void close_groups(struct groups *groups);
/** @return false when it cannot be made; errno says why */
bool make_group(struct account *group, const struct groups *groups, const char *name,
                const struct limits *limits);
/** Called by the process that joins, before it gives its privileges up. */
bool join_group(const struct account *group);
int64_t group_cpu_ns(struct account *group);
int64_t group_peak(struct account *group);
bool group_ran_out(struct account *group);
void close_group(struct account *group);
/** Ends what is in it: a second rope, should pid 1 of a box ever be missed. */
void kill_group(const struct groups *groups, const char *name);
/** @return false while something is left in it */
bool remove_group(const struct groups *groups, const char *name);

/* ---- stage.c ---- */

struct stage {
  uid_t uid;
  struct groups groups;
  char name[32];
};

/** Leaves the machine's files and network behind. @return null, or what failed (errno says why) */
const char *enter_stage(const struct job *job, const struct stage *stage);
/** From now on no box can change what was compiled. */
bool seal_work(void);

/* ---- filter.c ---- */

/** Holds for the caller and all its children, for good. */
bool install_filter(void);

/* ---- compare.c ---- */

enum { TOKEN_KEPT = 256 };

/** How far output agrees with what is expected. */
struct comparison {
  const char *expected, *expected_end;
  const char *token, *token_end;
  size_t in_token;
  int64_t number;
  bool is_inside, differs, found_is_open;
  char found[TOKEN_KEPT];
  size_t found_length;
  bool has_found;
};

void compare_begin(struct comparison *state, const char *expected, size_t length);
void compare_more(struct comparison *state, const char *output, size_t length);
/** @return whether all of it agreed */
bool compare_end(struct comparison *state);

/* ---- box.c ---- */

enum stop { STOP_NONE, STOP_TIME, STOP_OUTPUT };

struct run {
  char **argv, **env;
  const struct limits *limits;
  int input_fd;
  /** Null: the beginning of the output is kept. */
  struct comparison *comparison;
  /** Standard error goes where standard output goes, and too much output ends nothing. */
  bool is_compiler;
  size_t output_kept, error_kept;
};

struct outcome {
  enum stop stop;
  bool ran_out_of_memory, has_status;
  /** As `waitpid` gives it. */
  int status;
  int64_t cpu_ns, wall_ns, peak;
  struct bytes output, errors;
};

/** @return null, or what of the machinery failed (errno says why) */
const char *run_box(const struct stage *stage, const struct run *run, struct outcome *outcome);

/* ---- runner.c ---- */

/** Carries a job out and ends the process. */
__attribute__((noreturn)) void run_job(struct job *job, struct stage *stage, int report_fd,
                                       pid_t keeper);

#endif
