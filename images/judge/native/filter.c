/*
 * The system calls that a boxed program may not make. A list of what is refused, not of what is
 * allowed: a list of allowed calls breaks ordinary programs with every new C library. What is
 * refused answers EPERM and kills nobody, for programs ask for more than they need.
 *
 * Namespaces, capabilities and the read-only root already hold a program; this narrows its way
 * into the kernel's rarely used code.
 */
#include "judge.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the judge knows x86-64 and arm64"
#endif

/** All namespaces that `clone` can make; a new user namespace gives every capability inside it. */
#define NAMESPACES                                                                       \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | \
   CLONE_NEWNET)

static const int refused[] = {
    // File systems and roots
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_move_mount, SYS_open_tree, SYS_fsopen,
    SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_quotactl, SYS_swapon, SYS_swapoff, SYS_fanotify_init,
    // Namespaces
    SYS_unshare, SYS_setns,
    // Other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_kcmp,
    // Wide doors into the kernel
    SYS_bpf, SYS_perf_event_open, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load, SYS_memfd_secret,
    // The machine
    SYS_reboot, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex,
    SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_acct, SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS_lookup_dcookie,
    SYS_create_module, SYS_get_kernel_syms, SYS_query_module, SYS_nfsservctl,
#endif
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/** Goes on with the next statement when the loaded word is the value, else skips some. */
#define WHEN(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise)

bool install_filter(void) {
  struct sock_filter filter[64 + 2 * sizeof refused / sizeof *refused];
  unsigned short n = 0;
#define ADD(...) filter[n++] = (struct sock_filter)__VA_ARGS__
  // Numbers mean something else in another architecture's calls, such as 32-bit ones.
  ADD(LOAD(arch));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  ADD(REFUSE);
  ADD(LOAD(nr));
#if defined(__x86_64__)
  // So they do in the x32 form of the same architecture.
  ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  ADD(REFUSE);
#endif
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    ADD(WHEN((uint32_t)refused[i], 1));
    ADD(REFUSE);
  }
  // Its flags lie in memory, where no filter sees them; C libraries then use `clone`.
  ADD(WHEN(SYS_clone3, 1));
  ADD(ANSWER(SECCOMP_RET_ERRNO | ENOSYS));
  ADD(WHEN(SYS_clone, 4));
  ADD(LOAD(args[0]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1));
  ADD(REFUSE);
  ADD(ANSWER(SECCOMP_RET_ALLOW));
  // Nobody lowers the limit of core dumps to 0, see box.c; asking for it is free.
  ADD(WHEN(SYS_prlimit64, 8));
  ADD(LOAD(args[1]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CORE, 0, 5));
  ADD(LOAD(args[2]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2]) + 4));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  ADD(REFUSE);
  ADD(ANSWER(SECCOMP_RET_ALLOW));
#if defined(__x86_64__)
  // The older call for the same; arm64 never had it.
  ADD(WHEN(SYS_setrlimit, 4));
  ADD(LOAD(args[0]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CORE, 0, 1));
  ADD(REFUSE);
  ADD(ANSWER(SECCOMP_RET_ALLOW));
#endif
  // The box has a network of its own, but other families of sockets (of virtual machines, of the
  // kernel's ciphers) do not know networks. Of netlink only the list of interfaces is needed.
  ADD(WHEN(SYS_socket, 9));
  ADD(LOAD(args[0]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 6, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 5, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 4, 0));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 2));
  ADD(LOAD(args[2]));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0 /* NETLINK_ROUTE */, 1, 0));
  ADD(REFUSE);
  ADD(ANSWER(SECCOMP_RET_ALLOW));
  ADD(ANSWER(SECCOMP_RET_ALLOW));
#undef ADD
  struct sock_fprog program = {.len = n, .filter = filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
