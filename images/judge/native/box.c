/*
 * One run: a process tree in namespaces of its own, with limits that it cannot outlive.
 *
 *   runner ── pid 1 (ours; root without any capability; mounts, reaps, tells the exit status)
 *               └─ the program (in its control group, unprivileged, filtered)
 *
 * When the program's first process ends, pid 1 ends, and with pid 1 the kernel kills whatever the
 * program left running. The program cannot signal pid 1: it belongs to another user.
 */
#include "judge.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** Of a run's own temporary files and shared memory; both count as its memory too. */
#define SCRATCH_OPTIONS "size=64m,nr_inodes=4096,mode=1777"
/** A compiler's temporary files. */
#define COMPILER_SCRATCH_OPTIONS "size=256m,nr_inodes=4096,mode=1777"
/** How often the processor's time is looked at, at least and at most. */
enum { LOOK_MS = 5, REST_MS = 100 };
enum { DRAIN_BYTES = 1 << 16 };

/** Ends of the pipes between runner and box. */
struct line {
  int here, there;
};

static bool open_line(struct line *line) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return false;
  line->here = ends[0];
  line->there = ends[1];
  return true;
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/** Only ever lowered: raising needs a capability that the platform itself may lack. */
static void lower(__rlimit_resource_t resource, rlim_t wanted) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0) return;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) wanted = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = wanted;
  setrlimit(resource, &limit);
}

/** Without this a set-user-id program could get them back; the current ones stay for a moment. */
static void bar_capabilities(void) {
  for (unsigned long one = 0; prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; one++)
    prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  syscall(SYS_capset, &header, none);
}

/** Keeps descriptors from the program without closing those that are still needed until then. */
static void close_on_exec(void) {
  if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = 3; fd < (int)limit.rlim_cur; fd++) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/** What went wrong before the program began, as `<what>\0`; the runner adds errno's text. */
__attribute__((noreturn)) static void refuse(int fd, const char *what) {
  char text[128];
  int length = snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
  write_all(fd, text, (size_t)length);
  _exit(1);
}

__attribute__((noreturn)) static void become_program(const struct stage *stage,
                                                     const struct run *run,
                                                     const struct account *group, int input,
                                                     int output, int errors, int obstacle) {
  // Before privileges go: the folders of control groups are root's.
  if (!join_group(group)) refuse(obstacle, "control group");
  setsid();
  close_on_exec();
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) refuse(obstacle, "streams");
  // The platform's runtime ignores some signals, which would be inherited.
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(022);
  if (chdir(WORK) < 0) refuse(obstacle, "work folder");
  const struct limits *limits = run->limits;
  // Behind the group's clock, which counts all processes together and ends them sooner.
  lower(RLIMIT_CPU, (rlim_t)(limits->cpu_ms / 1000 + 2));
  lower(RLIMIT_FSIZE, 256 << 20);
  lower(RLIMIT_NOFILE, 1024);
  // Not 0: that leaves a machine's own collector of crashes, which runs outside of any box, to be
  // started. 1 is the kernel's special value for neither a file nor a collector.
  lower(RLIMIT_CORE, 1);
  lower(RLIMIT_STACK, 256 << 20);
  lower(RLIMIT_MEMLOCK, 64 << 10);
  lower(RLIMIT_MSGQUEUE, 0);
  bar_capabilities();
  if (setgroups(0, NULL) < 0 || setresgid(stage->uid, stage->uid, stage->uid) < 0 ||
      setresuid(stage->uid, stage->uid, stage->uid) < 0)
    refuse(obstacle, "user");
  drop_capabilities();
  if (!install_filter()) refuse(obstacle, "filter");
  execve(run->argv[0], run->argv, run->env);
  // The program's own fault, such as one that is too large to load; told as a shell would.
  char text[128];
  int length = snprintf(text, sizeof text, "%s: %s\n", run->argv[0], strerror(errno));
  write_all(2, text, (size_t)length);
  _exit(126);
}

/** Pid 1 of the box. */
__attribute__((noreturn)) static void become_first(const struct stage *stage,
                                                   const struct run *run,
                                                   const struct account *group, int input,
                                                   int output, int errors, int obstacle,
                                                   int result, int life) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) _exit(1);
  // Only the runner holds the other end: it is gone when the runner died before the line above.
  struct pollfd runner = {.fd = life, .events = POLLIN};
  if (poll(&runner, 1, 0) != 0) _exit(1);
  unsigned long plain = MS_NOSUID | MS_NODEV;
  if (mount("proc", "/proc", "proc", plain | MS_NOEXEC | MS_RDONLY, NULL) < 0)
    refuse(obstacle, "proc");
  const char *scratch = run->is_compiler ? COMPILER_SCRATCH_OPTIONS : SCRATCH_OPTIONS;
  if (mount("tmp", "/tmp", "tmpfs", plain, scratch) < 0) refuse(obstacle, "tmp");
  if (mount("shm", "/dev/shm", "tmpfs", plain, SCRATCH_OPTIONS) < 0) refuse(obstacle, "shm");
  pid_t program = fork();
  if (program < 0) refuse(obstacle, "fork");
  if (program == 0) become_program(stage, run, group, input, output, errors, obstacle);
  bar_capabilities();
  drop_capabilities();
  close(input), close(output), close(errors), close(obstacle);
  for (;;) {
    int status;
    pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended != program && ended > 0) continue;
    if (ended == program) write_all(result, &status, sizeof status);
    _exit(0);
  }
}

static void keep(struct bytes *kept, size_t most, const char *from, size_t length) {
  if (kept->length + length > most) length = most - kept->length;
  if (length > 0) append(kept, from, length);
}

/** What has come of one stream. @return false when it ended */
static bool take(int fd, const struct run *run, struct outcome *outcome, bool is_output,
                 int64_t *total) {
  static char chunk[DRAIN_BYTES];
  ssize_t length = read(fd, chunk, sizeof chunk);
  if (length < 0) return errno == EAGAIN || errno == EINTR;
  if (length == 0) return false;
  if (!is_output) {
    keep(&outcome->errors, run->error_kept, chunk, (size_t)length);
    return true;
  }
  if (run->comparison) compare_more(run->comparison, chunk, (size_t)length);
  else keep(&outcome->output, run->output_kept, chunk, (size_t)length);
  *total += length;
  if (!run->is_compiler && *total > run->limits->output && outcome->stop == STOP_NONE)
    outcome->stop = STOP_OUTPUT;
  return true;
}

/** Milliseconds until something has to be looked at again. */
static int rest(const struct limits *limits, int64_t wall_ns, int64_t cpu_ns) {
  int64_t wall = limits->wall_ms - wall_ns / 1000000 + 1;
  int64_t cpu = (limits->cpu_ms - cpu_ns / 1000000) / (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
  int64_t ms = wall < cpu ? wall : cpu;
  return (int)(ms < LOOK_MS ? LOOK_MS : ms > REST_MS ? REST_MS : ms);
}

/** Watches a box until it ends, or ends it. */
static const char *watch(pid_t first, const struct run *run, struct account *group,
                         struct outcome *outcome, int output, int errors, int obstacle,
                         int result) {
  static char problem[160];
  size_t problem_length = 0;
  int64_t began = 0, total = 0;
  bool is_over = false;
  struct pollfd ends[4] = {{.fd = result, .events = POLLIN}, {.fd = obstacle, .events = POLLIN},
                           {.fd = output, .events = POLLIN}, {.fd = errors, .events = POLLIN}};
  while (!is_over) {
    int64_t wall = began ? now_ns() - began : 0, cpu = group_cpu_ns(group);
    if (began && (wall > run->limits->wall_ms * 1000000 || cpu > run->limits->cpu_ms * 1000000))
      outcome->stop = STOP_TIME;
    // The kernel killed one of its processes; the others would wait for it until the time is up.
    outcome->ran_out_of_memory = group_ran_out(group);
    if (outcome->stop != STOP_NONE || outcome->ran_out_of_memory) break;
    // A program that floods us does not keep the clock from being looked at.
    if (poll(ends, 4, began ? rest(run->limits, wall, cpu) : REST_MS) < 0 && errno != EINTR) break;
    if (ends[1].revents) {
      ssize_t length = read(obstacle, problem + problem_length, sizeof problem - 1 - problem_length);
      if (length > 0) problem_length += (size_t)length;
      else {
        // Closed by exec, or by the end: the program begins now.
        ends[1].fd = -1;
        began = now_ns();
      }
    }
    if (ends[2].revents && !take(output, run, outcome, true, &total)) ends[2].fd = -1;
    if (ends[3].revents && !take(errors, run, outcome, false, &total)) ends[3].fd = -1;
    if (ends[0].revents) {
      ssize_t length = read(result, &outcome->status, sizeof outcome->status);
      outcome->has_status = length == (ssize_t)sizeof outcome->status;
      is_over = true;
    }
  }
  outcome->wall_ns = began ? now_ns() - began : 0;
  kill(first, SIGKILL);
  while (waitpid(first, NULL, 0) < 0 && errno == EINTR) continue;
  // Nobody can write any more; what was written is still there.
  while (ends[2].fd >= 0 && take(output, run, outcome, true, &total)) continue;
  while (ends[3].fd >= 0 && take(errors, run, outcome, false, &total)) continue;
  if (problem_length > 0) {
    errno = 0;
    return problem;
  }
  return NULL;
}

const char *run_box(const struct stage *stage, const struct run *run, struct outcome *outcome) {
  struct account group;
  struct line output = {-1, -1}, errors = {-1, -1}, obstacle = {-1, -1}, result = {-1, -1},
              life = {-1, -1};
  memset(outcome, 0, sizeof *outcome);
  if (!make_group(&group, &stage->groups, stage->name, run->limits)) return "control group";
  if (!open_line(&output) || !open_line(&errors) || !open_line(&obstacle) || !open_line(&result) ||
      !open_line(&life))
    return "pipes";
  fcntl(output.here, F_SETPIPE_SZ, DRAIN_BYTES * 4);
  // `clone` without a stack forks; a fork into new namespaces saves a process.
  pid_t first = (pid_t)syscall(SYS_clone, CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | SIGCHLD, NULL,
                               NULL, NULL, NULL);
  if (first < 0) return "clone";
  if (first == 0) {
    close(output.here), close(errors.here), close(obstacle.here), close(result.here);
    close(life.there);
    become_first(stage, run, &group, run->input_fd, output.there,
                 run->is_compiler ? output.there : errors.there, obstacle.there, result.there,
                 life.here);
  }
  close_end(&output.there), close_end(&errors.there), close_end(&obstacle.there);
  close_end(&result.there), close_end(&life.here);
  const char *problem = watch(first, run, &group, outcome, output.here, errors.here, obstacle.here,
                              result.here);
  close_end(&output.here), close_end(&errors.here), close_end(&obstacle.here);
  close_end(&result.here), close_end(&life.there);
  outcome->cpu_ns = group_cpu_ns(&group);
  outcome->peak = group_peak(&group);
  outcome->ran_out_of_memory = group_ran_out(&group);
  close_group(&group);
  // The kernel lets go of the last process a moment after it is gone.
  for (int attempt = 0; !remove_group(&stage->groups, stage->name) && attempt < 2000; attempt++) {
    struct timespec moment = {.tv_nsec = 500000};
    nanosleep(&moment, NULL);
  }
  return problem;
}
