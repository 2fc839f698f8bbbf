/* Calls on files below $BROKEN_FOLDER fail, from the n-th one on: preloaded into a program.

   BROKEN_CALLS is "write" or "read", BROKEN_AFTER the number of calls that succeed before,
   BROKEN_ERRNO the error. A write that is the first to fail writes half of its bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

static int below(const char *path) {
    const char *folder = getenv("BROKEN_FOLDER");
    char full[4096];
    if (!folder || !path) return 0;
    if (path[0] != '/') {
        if (!getcwd(full, sizeof full)) return 0;
        return strncmp(full, folder, strlen(folder)) == 0;
    }
    return strncmp(path, folder, strlen(folder)) == 0;
}

static int below_fd(int fd) {
    char link[64], full[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, full, sizeof full - 1);
    if (size < 0) return 0;
    full[size] = 0;
    return full[0] == '/' && below(full); /* else a pipe or socket */
}

/* 0: go on; 1: the first call that fails; 2: a later one. */
static int fails(const char *kind) {
    const char *chosen = getenv("BROKEN_CALLS"), *after = getenv("BROKEN_AFTER");
    if (!chosen || !after || strcmp(kind, chosen)) return 0;
    long over = __sync_add_and_fetch(&calls, 1) - atol(after);
    if (over <= 0) return 0;
    errno = atoi(getenv("BROKEN_ERRNO"));
    return over == 1 ? 1 : 2;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    if (!below_fd(fd)) return real(fd, data, size);
    int failing = fails("write");
    if (failing == 1 && size > 1) return real(fd, data, size / 2);
    return failing ? -1 : real(fd, data, size);
}

#define FAIL(kind, inside, name, ...) \
    { REAL(name); if (inside && fails(kind)) return -1; return real(__VA_ARGS__); }

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
    FAIL("write", below_fd(fd), pwrite, fd, data, size, at)
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
    FAIL("write", below_fd(fd), pwrite64, fd, data, size, at)
int fsync(int fd) FAIL("write", below_fd(fd), fsync, fd)
int fdatasync(int fd) FAIL("write", below_fd(fd), fdatasync, fd)
int ftruncate(int fd, off_t size) FAIL("write", below_fd(fd), ftruncate, fd, size)
int ftruncate64(int fd, off64_t size) FAIL("write", below_fd(fd), ftruncate64, fd, size)
int rename(const char *old, const char *path) FAIL("write", below(path), rename, old, path)
int mkdir(const char *path, mode_t mode) FAIL("write", below(path), mkdir, path, mode)
int chmod(const char *path, mode_t mode) FAIL("write", below(path), chmod, path, mode)
ssize_t read(int fd, void *data, size_t size) FAIL("read", below_fd(fd), read, fd, data, size)
ssize_t pread(int fd, void *data, size_t size, off_t at)
    FAIL("read", below_fd(fd), pread, fd, data, size, at)
ssize_t pread64(int fd, void *data, size_t size, off64_t at)
    FAIL("read", below_fd(fd), pread64, fd, data, size, at)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = va_arg(more, mode_t); \
        va_end(more); \
        if (below(path) && fails(flags & O_CREAT ? "write" : "read")) return -1; \
        return real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
