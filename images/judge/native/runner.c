/* One job: compiles, runs the tests one after the other, and tells each as soon as it is known. */
#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMPILER_OUTPUT = 16 << 10, OUTPUT_KEPT = 64 << 10, ERROR_OUTPUT_KEPT = 8 << 10 };

static int report_fd;

static void tell(struct bytes *line) {
  append_text(line, "}\n");
  // Nobody listens any more: there is nothing left to do.
  if (!write_all(report_fd, line->at, line->length)) _exit(1);
  free(line->at);
}

__attribute__((noreturn)) static void fail(const struct job *job, const char *what) {
  struct bytes line = {0}, reason = {0};
  append_text(&reason, what);
  if (errno) append_format(&reason, ": %s", strerror(errno));
  append_format(&line, "{\"job\":%ld,\"kind\":\"failed\",\"reason\":\"", job->id);
  append_base64(&line, reason.at, reason.length);
  append_text(&line, "\"");
  tell(&line);
  _exit(1);
}

static void append_named(struct bytes *line, const char *name, const void *from, size_t length) {
  append_format(line, ",\"%s\":\"", name);
  append_base64(line, from, length);
  append_text(line, "\"");
}

static void append_times(struct bytes *line, const struct outcome *outcome) {
  append_format(line, ",\"cpuMs\":%.1f,\"wallMs\":%.1f", (double)outcome->cpu_ns / 1e6,
                (double)outcome->wall_ns / 1e6);
}

/** Opened before the machine's files are left behind. */
static void open_tests(struct job *job) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  for (size_t i = 0; i < job->test_count; i++) {
    struct test *test = &job->tests[i];
    test->input_fd = open(test->input, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (test->input_fd < 0) fail(job, "input of a test");
    if (!test->expected) continue;
    test->expected_fd = open(test->expected, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (test->expected_fd < 0) fail(job, "expected output of a test");
  }
}

static bool has_ended_well(const struct outcome *outcome) {
  return outcome->stop == STOP_NONE && !outcome->ran_out_of_memory && outcome->has_status &&
         WIFEXITED(outcome->status) && WEXITSTATUS(outcome->status) == 0;
}

static bool ran_out_of_time(const struct outcome *outcome, const struct limits *limits) {
  bool is_signalled = outcome->has_status && WIFSIGNALED(outcome->status);
  return outcome->stop == STOP_TIME || outcome->cpu_ns > limits->cpu_ms * 1000000 ||
         outcome->wall_ns > limits->wall_ms * 1000000 ||
         (is_signalled && WTERMSIG(outcome->status) == SIGXCPU);
}

/** @return whether there is something to run */
static bool compile(const struct job *job, const struct stage *stage) {
  struct outcome outcome;
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  struct run run = {.argv = job->compile, .env = job->env, .limits = &job->compiling,
                    .input_fd = nothing, .is_compiler = true, .output_kept = COMPILER_OUTPUT};
  const char *problem = run_box(stage, &run, &outcome);
  if (problem) fail(job, problem);
  close(nothing);
  bool is_good = has_ended_well(&outcome);
  const char *stopped = outcome.ran_out_of_memory                       ? "memory"
                        : ran_out_of_time(&outcome, &job->compiling)    ? "time"
                        : is_good || (outcome.has_status && WIFEXITED(outcome.status)) ? NULL
                                                                        : "signal";
  struct bytes line = {0};
  append_format(&line, "{\"job\":%ld,\"kind\":\"%s\"", job->id, is_good ? "compiled" : "compileError");
  append_times(&line, &outcome);
  if (stopped) append_format(&line, ",\"stopped\":\"%s\"", stopped);
  append_named(&line, "output", outcome.output.at, outcome.output.length);
  tell(&line);
  free(outcome.output.at);
  return is_good;
}

static const char *verdict_of(const struct outcome *outcome, const struct limits *limits,
                              struct comparison *comparison) {
  if (outcome->stop == STOP_OUTPUT) return "outputLimit";
  if (outcome->ran_out_of_memory) return "memoryLimit";
  if (ran_out_of_time(outcome, limits)) return "timeLimit";
  if (!has_ended_well(outcome)) return "runtimeError";
  if (!comparison) return "finished";
  return compare_end(comparison) ? "accepted" : "wrongAnswer";
}

static void append_difference(struct bytes *line, const struct comparison *comparison) {
  append_format(line, ",\"difference\":{\"token\":%lld", (long long)comparison->number);
  size_t length = (size_t)(comparison->token_end - comparison->token);
  if (length) append_named(line, "expected", comparison->token, length < TOKEN_KEPT ? length : TOKEN_KEPT);
  else append_text(line, ",\"expected\":null");
  if (comparison->has_found) append_named(line, "found", comparison->found, comparison->found_length);
  else append_text(line, ",\"found\":null");
  append_text(line, "}");
}

/** @return whether the test was passed */
static bool run_test(const struct job *job, const struct stage *stage, size_t index) {
  struct test *test = &job->tests[index];
  struct comparison comparison = {0};
  struct outcome outcome;
  size_t length = 0;
  const char *expected = NULL;
  if (test->expected) {
    struct stat facts;
    if (fstat(test->expected_fd, &facts) < 0) fail(job, "expected output of a test");
    length = (size_t)facts.st_size;
    expected = length ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, test->expected_fd, 0) : "";
    if (expected == MAP_FAILED) fail(job, "expected output of a test");
    compare_begin(&comparison, expected, length);
  }
  struct run run = {.argv = job->run, .env = job->env, .limits = &job->running,
                    .input_fd = test->input_fd, .comparison = expected ? &comparison : NULL,
                    .output_kept = OUTPUT_KEPT, .error_kept = ERROR_OUTPUT_KEPT};
  const char *problem = run_box(stage, &run, &outcome);
  if (problem) fail(job, problem);
  const char *verdict = verdict_of(&outcome, &job->running, run.comparison);
  bool is_passed = strcmp(verdict, "accepted") == 0 || strcmp(verdict, "finished") == 0;

  struct bytes line = {0};
  append_format(&line, "{\"job\":%ld,\"kind\":\"test\",\"number\":%zu,\"verdict\":\"%s\"", job->id,
                index + 1, verdict);
  append_times(&line, &outcome);
  append_format(&line, ",\"memoryBytes\":%lld", (long long)outcome.peak);
  if (outcome.has_status && WIFEXITED(outcome.status))
    append_format(&line, ",\"exitCode\":%d", WEXITSTATUS(outcome.status));
  if (outcome.has_status && WIFSIGNALED(outcome.status))
    append_format(&line, ",\"signal\":%d", WTERMSIG(outcome.status));
  if (strcmp(verdict, "wrongAnswer") == 0) append_difference(&line, &comparison);
  if (!expected) append_named(&line, "output", outcome.output.at, outcome.output.length);
  append_named(&line, "errorOutput", outcome.errors.at, outcome.errors.length);
  tell(&line);
  free(outcome.output.at);
  free(outcome.errors.at);
  if (length) munmap((void *)(uintptr_t)expected, length);
  close(test->input_fd);
  if (test->expected) close(test->expected_fd);
  return is_passed;
}

void run_job(struct job *job, struct stage *stage, int fd, pid_t keeper) {
  report_fd = fd;
  prctl(PR_SET_NAME, "judge-runner");
  // The second line for a keeper that died before the first was drawn.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != keeper) _exit(1);
  errno = 0;
  open_tests(job);
  const char *problem = enter_stage(job, stage);
  if (problem) fail(job, problem);
  if (job->compile && !compile(job, stage)) _exit(0);
  if (!seal_work()) fail(job, "sealing the work folder");
  for (size_t i = 0; i < job->test_count; i++)
    if (!run_test(job, stage, i) && job->stops_at_failure) break;
  _exit(0);
}
