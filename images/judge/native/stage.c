/*
 * What all boxes of a job share: the judge image as a read-only root, a work folder in memory, and
 * a network with nothing but its own loopback. The runner moves in and leaves the machine's own
 * mounts behind, so a box is a copy of a handful of mounts, however many containers run beside it.
 */
#include "judge.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/** Sources and what compilers make of them. */
#define WORK_OPTIONS "size=256m,nr_inodes=4096,mode=0755"

static bool raise_loopback(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  struct ifreq request = {.ifr_name = "lo"};
  bool is_up = ioctl(fd, SIOCGIFFLAGS, &request) == 0;
  request.ifr_flags |= IFF_UP | IFF_RUNNING;
  is_up = is_up && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
  close(fd);
  return is_up;
}

static bool make_device(const char *path, unsigned int major, unsigned int minor) {
  return mknod(path, S_IFCHR | 0666, makedev(major, minor)) == 0 && chmod(path, 0666) == 0;
}

/** Five devices that hold nothing of the machine; a box adds its own `/dev/shm`. */
static bool make_devices(void) {
  return mount("dev", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "size=64k,nr_inodes=32,mode=0755") == 0 &&
         make_device("/dev/null", 1, 3) && make_device("/dev/zero", 1, 5) &&
         make_device("/dev/full", 1, 7) && make_device("/dev/random", 1, 8) &&
         make_device("/dev/urandom", 1, 9) && mkdir("/dev/shm", 0755) == 0 &&
         symlink("/proc/self/fd", "/dev/fd") == 0 && symlink("/proc/self/fd/0", "/dev/stdin") == 0 &&
         symlink("/proc/self/fd/1", "/dev/stdout") == 0 &&
         symlink("/proc/self/fd/2", "/dev/stderr") == 0 &&
         mount(NULL, "/dev", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NOEXEC, NULL) == 0;
}

static bool write_source(const struct job *job) {
  char path[256];
  if (strchr(job->source_name, '/') || strlen(job->source_name) > 64) return false;
  strcpy(path, WORK "/");
  strcat(path, job->source_name);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  bool is_written = write_all(fd, job->source, job->source_length);
  return close(fd) == 0 && is_written;
}

const char *enter_stage(const struct job *job, const struct stage *stage) {
  if (unshare(CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) < 0) return "unshare";
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return "private mounts";
  if (sethostname("judge", 5) < 0) return "host name";
  if (!raise_loopback()) return "loopback";
  // A root must be a mount; read-only comes with a second step, as binds do not take it at once.
  if (mount(job->root, job->root, NULL, MS_BIND, NULL) < 0) return "root";
  if (mount(NULL, job->root, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
    return "read-only root";
  if (chdir(job->root) < 0) return "root";
  // The old root comes to lie over the new one, in the same place, and is then let go of.
  if (syscall(SYS_pivot_root, ".", ".") < 0) return "pivot_root";
  if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0) return "old root";
  if (!make_devices()) return "devices";
  if (mount("work", WORK, "tmpfs", MS_NOSUID | MS_NODEV, WORK_OPTIONS) < 0) return "work folder";
  if (!write_source(job)) return "source";
  if (chown(WORK, stage->uid, stage->uid) < 0) return "owner of the work folder";
  return NULL;
}

bool seal_work(void) {
  return mount(NULL, WORK, NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0;
}
