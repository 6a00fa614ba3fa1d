/* A disk that dies or fills up at the n-th call that changes it: preloaded, so that no call of any library is missed.

   Calls are counted that change something under one folder. From the n-th on a dead disk takes nothing more, so what is
   on it is what a process killed there would have left; a full one refuses what needs room; or the process is killed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OFF, COUNT, DEAD, FULL, KILL };
static char folder[PATH_MAX];
static volatile int mode = OFF;
static volatile long left = 0, seen = 0;

void disk_arm(const char *under, int wanted, long n) { strncpy(folder, under, PATH_MAX - 1); left = n; seen = 0; mode = wanted; }
long disk_disarm(void) { mode = OFF; return seen; }

static int under(const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

static int fd_under(int fd) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return under(path);
}

static int at_under(int fd, const char *path) {
    char here[PATH_MAX];
    if (path[0] == '/') return under(path);
    if (fd != AT_FDCWD) return fd_under(fd);
    return getcwd(here, sizeof here) && under(here);
}

/* Whether the call is refused; errno says why. */
static int refused(int counts, int takes_room) {
    if (mode == OFF || !counts) return 0;
    long at = __sync_fetch_and_add(&seen, 1);
    if (mode == COUNT || at < left) return 0;
    if (mode == KILL) kill(getpid(), SIGKILL);
    if (mode == FULL && !takes_room) return 0;
    errno = mode == FULL ? ENOSPC : EIO;
    return 1;
}

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, #name)
#define CHANGES(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & (O_CREAT | O_TRUNC)))
#define MODE(flags) mode_t m = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list a; va_start(a, flags); m = va_arg(a, mode_t); va_end(a); }

#define OPEN(name) int name(const char *p, int flags, ...) { REAL(int, name, const char *, int, ...); MODE(flags) \
    if (CHANGES(flags) && refused(at_under(AT_FDCWD, p), (flags) & O_CREAT)) return -1; return real(p, flags, m); }
#define OPENAT(name) int name(int d, const char *p, int flags, ...) { REAL(int, name, int, const char *, int, ...); MODE(flags) \
    if (CHANGES(flags) && refused(at_under(d, p), (flags) & O_CREAT)) return -1; return real(d, p, flags, m); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

#define ON_FD(type, name, room, params, ...) type name params { REAL(type, name, __VA_ARGS__); if (refused(fd_under(fd), room)) return -1;
ON_FD(ssize_t, write, 1, (int fd, const void *b, size_t n), int, const void *, size_t) return real(fd, b, n); }
ON_FD(ssize_t, pwrite, 1, (int fd, const void *b, size_t n, off_t o), int, const void *, size_t, off_t) return real(fd, b, n, o); }
ON_FD(ssize_t, pwrite64, 1, (int fd, const void *b, size_t n, off64_t o), int, const void *, size_t, off64_t) return real(fd, b, n, o); }
ON_FD(ssize_t, writev, 1, (int fd, const struct iovec *v, int n), int, const struct iovec *, int) return real(fd, v, n); }
ON_FD(int, ftruncate, 0, (int fd, off_t n), int, off_t) return real(fd, n); }
ON_FD(int, ftruncate64, 0, (int fd, off64_t n), int, off64_t) return real(fd, n); }
ON_FD(int, fsync, 0, (int fd), int) return real(fd); }
ON_FD(int, fdatasync, 0, (int fd), int) return real(fd); }
ON_FD(int, fchmod, 0, (int fd, mode_t m), int, mode_t) return real(fd, m); }

#define ON_PATH(name, room, params, ...) int name params { REAL(int, name, __VA_ARGS__); if (refused(at_under(AT_FDCWD, p), room)) return -1;
ON_PATH(unlink, 0, (const char *p), const char *) return real(p); }
ON_PATH(rmdir, 0, (const char *p), const char *) return real(p); }
ON_PATH(mkdir, 1, (const char *p, mode_t m), const char *, mode_t) return real(p, m); }
ON_PATH(chmod, 0, (const char *p, mode_t m), const char *, mode_t) return real(p, m); }
ON_PATH(rename, 0, (const char *p, const char *q), const char *, const char *) return real(p, q); }

#define ON_AT(name, room, params, ...) int name params { REAL(int, name, __VA_ARGS__); if (refused(at_under(d, p), room)) return -1;
ON_AT(unlinkat, 0, (int d, const char *p, int f), int, const char *, int) return real(d, p, f); }
ON_AT(mkdirat, 1, (int d, const char *p, mode_t m), int, const char *, mode_t) return real(d, p, m); }
ON_AT(fchmodat, 0, (int d, const char *p, mode_t m, int f), int, const char *, mode_t, int) return real(d, p, m, f); }
ON_AT(renameat, 0, (int d, const char *p, int e, const char *q), int, const char *, int, const char *) return real(d, p, e, q); }
