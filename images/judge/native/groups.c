/*
 * Control groups: what a run may use of memory and processes, and what it used of the processor,
 * counted for all its processes together, those that detached themselves included.
 *
 * Each helper has a folder of its own, `hypercube-judge-<pid>`, with the helper itself in
 * `keeper` below it. So a folder whose `keeper` is empty is one that a killed helper left behind,
 * whatever its number says, and the next one to start removes it.
 */
#include "judge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "hypercube-judge-"

/** Controllers of version 1; each may lie in a hierarchy of its own. */
static const char *const controllers[GROUP_KINDS] = {"memory", "pids", "cpuacct"};
enum { MEMORY, PIDS, CPU };

static bool write_at(int folder, const char *name, const char *value) {
  int fd = openat(folder, name, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool is_written = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
  int problem = errno;
  close(fd);
  errno = problem;
  return is_written;
}

static bool write_number(int folder, const char *name, int64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)number);
  return write_at(folder, name, text);
}

/** The beginning of a file; empty when it cannot be read. */
static void read_at(int folder, const char *name, char *text, size_t size) {
  text[0] = 0;
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t length = read(fd, text, size - 1);
  text[length > 0 ? length : 0] = 0;
  close(fd);
}

/** The number behind a word at the beginning of a line. */
static int64_t number_after(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line ? 1 : 0)
    if (strncmp(line, word, length) == 0 && line[length] == ' ') return atoll(line + length);
  return 0;
}

static bool holds_processes(int folder, const char *name) {
  char path[320], text[16];
  snprintf(path, sizeof path, "%s/cgroup.procs", name);
  read_at(folder, path, text, sizeof text);
  return text[0] != 0;
}

/** Removes a folder of a helper with the runs in it; a folder with a living process resists. */
static void remove_folder(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  DIR *folder = fdopendir(fd);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
      unlinkat(fd, entry->d_name, AT_REMOVEDIR);
  if (folder) closedir(folder);
  unlinkat(parent, name, AT_REMOVEDIR);
}

/** What helpers that were killed left in a hierarchy. */
static void remove_left_behind(const char *top) {
  DIR *folder = opendir(top);
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
    char keeper[300];
    snprintf(keeper, sizeof keeper, "%s/keeper", entry->d_name);
    if (!holds_processes(dirfd(folder), keeper)) remove_folder(dirfd(folder), entry->d_name);
  }
  closedir(folder);
}

/** Our folder in a hierarchy, with ourselves in it. */
static bool make_folder(struct groups *groups, int index, const char *top) {
  remove_left_behind(top);
  char path[2200], keeper[2240];
  snprintf(path, sizeof path, "%s/" PREFIX "%d", top, (int)getpid());
  snprintf(keeper, sizeof keeper, "%s/keeper", path);
  // Another helper that starts at this moment may take the still empty folder for one left behind.
  for (int attempt = 0; attempt < 5; attempt++) {
    if (mkdir(path, 0700) < 0 && errno != EEXIST) return false;
    if (mkdir(keeper, 0700) < 0 && errno != EEXIST) continue;
    int fd = open(keeper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) continue;
    bool is_inside = write_at(fd, "cgroup.procs", "0");
    close(fd);
    if (!is_inside && errno != ENODEV && errno != ENOENT) return false;
    if (!is_inside) continue;
    groups->folder[index] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    groups->path[index] = strdup(path);
    return groups->folder[index] >= 0;
  }
  return false;
}

/** Where the hierarchy of a controller is mounted; null for none. `cgroup2` finds version 2's. */
static bool find_mount(const char *type, const char *controller, char *path, size_t size) {
  FILE *mounts = fopen("/proc/self/mounts", "re");
  if (!mounts) return false;
  char line[4096];
  bool is_found = false;
  while (!is_found && fgets(line, sizeof line, mounts)) {
    char at[1024], kind[64], options[1024];
    if (sscanf(line, "%*s %1023s %63s %1023s", at, kind, options) != 3) continue;
    if (strcmp(kind, type) != 0) continue;
    for (char *rest = options, *word; controller && !is_found && (word = strsep(&rest, ","));)
      is_found = strcmp(word, controller) == 0;
    if (!controller) is_found = true;
    if (is_found) snprintf(path, size, "%s", at);
  }
  fclose(mounts);
  return is_found;
}

/** Version 2: the folder of our own group, or the top of what we can see. */
static void own_group(const char *mount, char *path, size_t size) {
  snprintf(path, size, "%s", mount);
  FILE *list = fopen("/proc/self/cgroup", "re");
  if (!list) return;
  char line[1024];
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    // A path that leads out of our namespace is of no use to us.
    if (strncmp(line, "0::/", 4) == 0 && line[4] && strncmp(line + 4, "..", 2) != 0)
      snprintf(path, size, "%s%s", mount, line + 3);
  }
  fclose(list);
}

/** Whether somebody left this group to us: systemd's `Delegate=yes`. */
static bool is_delegated(const char *path) {
  char value[2];
  return getxattr(path, "trusted.delegate", value, sizeof value) > 0 ||
         getxattr(path, "user.delegate", value, sizeof value) > 0;
}

/** A group with processes cannot hand controllers on, so they move into one below it. */
static void move_all_below(int folder) {
  mkdirat(folder, "platform", 0755);
  char list[65536];
  read_at(folder, "cgroup.procs", list, sizeof list);
  for (char *rest = list, *pid; (pid = strsep(&rest, "\n"));)
    if (*pid) write_at(folder, "platform/cgroup.procs", pid);
}

static bool hand_on(const char *path, bool may_move) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const char *all = "+memory +pids +cpu";
  bool is_on = write_at(folder, "cgroup.subtree_control", all);
  if (!is_on && errno == EBUSY && may_move) {
    move_all_below(folder);
    is_on = write_at(folder, "cgroup.subtree_control", all);
  }
  close(folder);
  return is_on;
}

static const char *open_version_2(struct groups *groups, const char *mount) {
  char own[2048], top[2048], folder[2200];
  own_group(mount, own, sizeof own);
  // Ours where it was left to us, else the top of the tree, which in a container is the container's.
  snprintf(top, sizeof top, "%s", is_delegated(own) ? own : mount);
  if (!hand_on(top, true))
    return "the control groups (version 2) are not ours to use: run as root, under systemd with Delegate=yes";
  groups->version = 2;
  groups->count = 1;
  if (!make_folder(groups, 0, top))
    return "no control group (version 2) can be made";
  snprintf(folder, sizeof folder, "%s", groups->path[0]);
  return hand_on(folder, false) ? NULL : "control groups (version 2) have no memory or pids controller here";
}

const char *open_groups(struct groups *groups) {
  memset(groups, 0, sizeof *groups);
  for (int i = 0; i < GROUP_KINDS; i++) groups->folder[i] = -1;
  char path[1024];
  if (!find_mount("cgroup", "memory", path, sizeof path)) {
    if (!find_mount("cgroup2", NULL, path, sizeof path)) return "no control groups are mounted";
    return open_version_2(groups, path);
  }
  groups->version = 1;
  groups->count = GROUP_KINDS;
  for (int i = 0; i < GROUP_KINDS; i++) {
    if (!find_mount("cgroup", controllers[i], path, sizeof path))
      return "control groups (version 1) lack memory, pids or cpuacct";
    // Two controllers in one hierarchy share the folder.
    if (!make_folder(groups, i, path)) return "no control group (version 1) can be made";
  }
  return NULL;
}

void close_groups(struct groups *groups) {
  for (int i = 0; i < groups->count; i++) {
    if (groups->folder[i] < 0) continue;
    // A process that is in `keeper` keeps its folder, so it steps out first.
    char parent[2240];
    snprintf(parent, sizeof parent, "%s/..", groups->path[i]);
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) continue;
    // Version 2 has no room above for a process; there the next helper removes what is empty.
    if (groups->version == 1) write_at(fd, "cgroup.procs", "0");
    else if (faccessat(fd, "platform", F_OK, 0) == 0) write_at(fd, "platform/cgroup.procs", "0");
    else write_at(fd, "cgroup.procs", "0");
    remove_folder(fd, strrchr(groups->path[i], '/') + 1);
    close(fd);
  }
}

bool make_group(struct account *group, const struct groups *groups, const char *name,
                const struct limits *limits) {
  group->of = groups;
  group->sampled_peak = 0;
  for (int i = 0; i < GROUP_KINDS; i++) group->fd[i] = -1;
  for (int i = 0; i < groups->count; i++) {
    if (mkdirat(groups->folder[i], name, 0700) < 0 && errno != EEXIST) return false;
    group->fd[i] = openat(groups->folder[i], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group->fd[i] < 0) return false;
  }
  if (groups->version == 2) {
    // Without swap accounting there is no such file, and then no swap either.
    write_at(group->fd[0], "memory.swap.max", "0");
    write_at(group->fd[0], "memory.oom.group", "1");
    return write_number(group->fd[0], "memory.max", limits->memory) &&
           write_number(group->fd[0], "pids.max", limits->pids);
  }
  if (!write_number(group->fd[MEMORY], "memory.limit_in_bytes", limits->memory)) return false;
  // Memory and swap together; missing where swap is not counted.
  write_number(group->fd[MEMORY], "memory.memsw.limit_in_bytes", limits->memory);
  write_at(group->fd[MEMORY], "memory.swappiness", "0");
  return write_number(group->fd[PIDS], "pids.max", limits->pids);
}

bool join_group(const struct account *group) {
  for (int i = 0; i < group->of->count; i++)
    if (!write_at(group->fd[i], "cgroup.procs", "0")) return false;
  return true;
}

int64_t group_cpu_ns(struct account *group) {
  char text[1024];
  if (group->of->version == 2) {
    read_at(group->fd[0], "memory.current", text, sizeof text);
    int64_t now = atoll(text);
    if (now > group->sampled_peak) group->sampled_peak = now;
    read_at(group->fd[0], "cpu.stat", text, sizeof text);
    return number_after(text, "usage_usec") * 1000;
  }
  read_at(group->fd[CPU], "cpuacct.usage", text, sizeof text);
  return atoll(text);
}

int64_t group_peak(struct account *group) {
  char text[64];
  if (group->of->version == 1) {
    read_at(group->fd[MEMORY], "memory.max_usage_in_bytes", text, sizeof text);
    return atoll(text);
  }
  read_at(group->fd[0], "memory.peak", text, sizeof text);
  // Kernels before 5.19 do not tell it; what was seen while it ran comes near.
  return text[0] ? atoll(text) : group->sampled_peak;
}

bool group_ran_out(struct account *group) {
  char text[1024];
  if (group->of->version == 1) {
    read_at(group->fd[MEMORY], "memory.oom_control", text, sizeof text);
  } else read_at(group->fd[0], "memory.events", text, sizeof text);
  return number_after(text, "oom_kill") > 0;
}

void close_group(struct account *group) {
  for (int i = 0; i < group->of->count; i++)
    if (group->fd[i] >= 0) close(group->fd[i]);
}

void kill_group(const struct groups *groups, const char *name) {
  char path[64], list[4096];
  if (groups->version == 2) {
    snprintf(path, sizeof path, "%s/cgroup.kill", name);
    write_at(groups->folder[0], path, "1");
    return;
  }
  snprintf(path, sizeof path, "%s/cgroup.procs", name);
  read_at(groups->folder[0], path, list, sizeof list);
  for (char *rest = list, *pid; (pid = strsep(&rest, "\n"));)
    if (atoi(pid) > 1) kill(atoi(pid), SIGKILL);
}

bool remove_group(const struct groups *groups, const char *name) {
  bool is_gone = true;
  for (int i = 0; i < groups->count; i++)
    if (unlinkat(groups->folder[i], name, AT_REMOVEDIR) < 0 && errno != ENOENT) is_gone = false;
  return is_gone;
}
