/*
 * main: stays resident, so that the platform, whose memory makes every fork slow, forks nothing.
 * Takes jobs from standard input, forks a runner for each, and passes their lines on.
 *
 *   in    netstring of netstrings: "job" and pairs of name and value, or "abort" and an id
 *   out   {"kind":"ready"}, then a runner's lines, and {"job":…,"kind":"end"} when nothing of a
 *         job is left on the machine
 */
#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS = 64, FIRST_UID = 61000, UIDS = 4000, RETRY_MS = 2, RETRIES = 5000, KILL_EVERY = 50 };

/** A job under way; `pipe` is -1 once its runner has ended and only its groups are left. */
struct running {
  long id;
  pid_t pid;
  int pipe, status, retries;
  struct bytes said;
};

static struct groups groups;
static struct running jobs[JOBS];

static bool say(const char *text) { return write_all(1, text, strlen(text)); }

static void name_of(long id, char *name, size_t size) { snprintf(name, size, "job-%ld", id); }

static void end_everything(void) {
  for (int i = 0; i < JOBS; i++)
    if (jobs[i].id && jobs[i].pipe >= 0) kill(jobs[i].pid, SIGKILL);
  for (int i = 0; i < JOBS; i++) {
    if (!jobs[i].id) continue;
    if (jobs[i].pipe >= 0) waitpid(jobs[i].pid, NULL, 0);
    char name[32];
    name_of(jobs[i].id, name, sizeof name);
    for (int attempt = 1; !remove_group(&groups, name) && attempt < RETRIES; attempt++) {
      if (attempt % KILL_EVERY == 0) kill_group(&groups, name);
      usleep(RETRY_MS * 1000);
    }
  }
  close_groups(&groups);
  exit(0);
}

static void refuse_job(long id, const char *reason) {
  struct bytes line = {0};
  append_format(&line, "{\"job\":%ld,\"kind\":\"failed\",\"reason\":\"", id);
  append_base64(&line, reason, strlen(reason));
  append_format(&line, "\"}\n{\"job\":%ld,\"kind\":\"end\"}\n", id);
  if (!say(line.at)) end_everything();
  free(line.at);
}

static void start_job(struct job *job) {
  struct running *place = NULL;
  for (int i = 0; i < JOBS && !place; i++)
    if (!jobs[i].id) place = &jobs[i];
  int ends[2];
  if (!place || pipe2(ends, O_CLOEXEC) < 0) {
    refuse_job(job->id, "too many jobs side by side");
    return;
  }
  pid_t keeper = getpid(), pid = fork();
  if (pid == 0) {
    // What belongs to other jobs and to the platform is nobody's business here.
    close(0), close(ends[0]);
    for (int i = 0; i < JOBS; i++)
      if (jobs[i].id && jobs[i].pipe >= 0) close(jobs[i].pipe);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, 0), dup2(nothing, 1);
    struct stage stage = {.uid = FIRST_UID + (uid_t)(job->id % UIDS), .groups = groups};
    name_of(job->id, stage.name, sizeof stage.name);
    run_job(job, &stage, ends[1], keeper);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    refuse_job(job->id, "fork failed");
    return;
  }
  *place = (struct running){.id = job->id, .pid = pid, .pipe = ends[0]};
}

/** Passes whole lines on, so that those of two jobs never mix. */
static void pass_on(struct running *running) {
  char chunk[65536];
  ssize_t length = read(running->pipe, chunk, sizeof chunk);
  if (length < 0 && errno == EINTR) return;
  if (length <= 0) {
    close(running->pipe);
    running->pipe = -1;
    while (waitpid(running->pid, &running->status, 0) < 0 && errno == EINTR) continue;
    return;
  }
  append(&running->said, chunk, (size_t)length);
  char *last = memrchr(running->said.at, '\n', running->said.length);
  if (!last) return;
  size_t whole = (size_t)(last - running->said.at) + 1;
  if (!write_all(1, running->said.at, whole)) end_everything();
  memmove(running->said.at, last + 1, running->said.length - whole);
  running->said.length -= whole;
}

/** Tells the end of a job once nothing of it is left. */
static void finish(struct running *running) {
  char name[32];
  name_of(running->id, name, sizeof name);
  bool is_gone = remove_group(&groups, name);
  if (!is_gone && ++running->retries < RETRIES) {
    if (running->retries % KILL_EVERY == 0) kill_group(&groups, name);
    return;
  }
  struct bytes line = {0};
  append_format(&line, "{\"job\":%ld,\"kind\":\"end\"", running->id);
  if (!is_gone) append_text(&line, ",\"leftover\":true");
  if (WIFSIGNALED(running->status)) append_format(&line, ",\"signal\":%d", WTERMSIG(running->status));
  append_text(&line, "}\n");
  if (!say(line.at)) end_everything();
  free(line.at);
  free(running->said.at);
  *running = (struct running){0};
}

static void obey(char *at, char *end) {
  char *verb, *value;
  size_t length;
  if (take_netstring(&at, end, &verb, &length) != 1) end_everything();
  if (strcmp(verb, "abort") == 0) {
    if (take_netstring(&at, end, &value, &length) != 1) end_everything();
    long id = strtol(value, NULL, 10);
    for (int i = 0; i < JOBS; i++)
      if (jobs[i].id == id && jobs[i].pipe >= 0) kill(jobs[i].pid, SIGKILL);
    return;
  }
  struct job *job = strcmp(verb, "job") == 0 ? read_job(at, end) : NULL;
  if (!job) {
    // The platform and its helper are of two versions: no use in going on.
    say("{\"kind\":\"unready\",\"reason\":\"the helper does not understand the platform\"}\n");
    end_everything();
  }
  start_job(job);
  free(job->compile), free(job->run), free(job->env), free(job->tests), free(job);
}

int main(void) {
  prctl(PR_SET_NAME, "judge-keeper");
  signal(SIGPIPE, SIG_IGN);
  const char *reason = geteuid() == 0 ? open_groups(&groups) : "the judge needs root";
  struct bytes line = {0};
  if (reason) {
    append_format(&line, "{\"kind\":\"unready\",\"reason\":\"%s\"}\n", reason);
    say(line.at);
    return 1;
  }
  append_format(&line, "{\"kind\":\"ready\",\"groups\":%d}\n", groups.version);
  if (!say(line.at)) end_everything();

  struct bytes heard = {0};
  for (;;) {
    struct pollfd ends[JOBS + 1] = {{.fd = 0, .events = POLLIN}};
    bool has_leftover = false;
    for (int i = 0; i < JOBS; i++) {
      ends[i + 1] = (struct pollfd){.fd = jobs[i].id ? jobs[i].pipe : -1, .events = POLLIN};
      has_leftover = has_leftover || (jobs[i].id && jobs[i].pipe < 0);
    }
    if (poll(ends, JOBS + 1, has_leftover ? RETRY_MS : -1) < 0 && errno != EINTR) end_everything();
    for (int i = 0; i < JOBS; i++) {
      if (jobs[i].id && jobs[i].pipe >= 0 && ends[i + 1].fd >= 0 && ends[i + 1].revents)
        pass_on(&jobs[i]);
      if (jobs[i].id && jobs[i].pipe < 0) finish(&jobs[i]);
    }
    if (!ends[0].revents) continue;
    char chunk[65536];
    ssize_t length = read(0, chunk, sizeof chunk);
    if (length < 0 && errno == EINTR) continue;
    // The platform has gone, however it went.
    if (length <= 0) end_everything();
    append(&heard, chunk, (size_t)length);
    for (;;) {
      char *at = heard.at, *frame;
      size_t size;
      int taken = take_netstring(&at, heard.at + heard.length, &frame, &size);
      if (taken < 0) end_everything();
      if (taken == 0) break;
      obey(frame, frame + size);
      heard.length -= (size_t)(at - heard.at);
      memmove(heard.at, at, heard.length);
    }
  }
}
