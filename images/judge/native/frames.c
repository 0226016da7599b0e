/* What the platform says (netstrings), and lines of JSON back. */
#include "judge.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void append(struct bytes *to, const void *from, size_t length) {
  if (to->length + length + 1 > to->room) {
    size_t room = to->room ? to->room * 2 : 4096;
    while (room < to->length + length + 1) room *= 2;
    char *grown = realloc(to->at, room);
    if (!grown) abort();
    to->at = grown;
    to->room = room;
  }
  if (length) memcpy(to->at + to->length, from, length);
  to->length += length;
  to->at[to->length] = 0;
}

void append_text(struct bytes *to, const char *text) { append(to, text, strlen(text)); }

void append_format(struct bytes *to, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append_text(to, text);
}

void append_base64(struct bytes *to, const void *from, size_t length) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *in = from;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    uint32_t three = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                     (left > 2 ? in[i + 2] : 0);
    char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                    left > 1 ? digits[three >> 6 & 63] : '=', left > 2 ? digits[three & 63] : '='};
    append(to, four, 4);
  }
}

bool write_all(int fd, const void *from, size_t length) {
  for (const char *at = from; length > 0;) {
    ssize_t written = write(fd, at, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    length -= (size_t)written;
  }
  return true;
}

int take_netstring(char **at, char *end, char **text, size_t *length) {
  size_t size = 0;
  char *digit = *at;
  for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
    size = size * 10 + (size_t)(*digit - '0');
    if (size > 1 << 28) return -1;
  }
  if (digit == end) return 0;
  if (*digit != ':' || digit == *at) return -1;
  if ((size_t)(end - digit) < size + 2) return 0;
  *text = digit + 1;
  *length = size;
  if (digit[1 + size] != ',') return -1;
  // The comma after it becomes the end of a C string.
  digit[1 + size] = 0;
  *at = digit + 2 + size;
  return 1;
}

/** One more at the end of a list that ends with null. */
static void push(char ***list, char *text) {
  size_t count = 0;
  if (*list)
    while ((*list)[count]) count++;
  char **grown = realloc(*list, (count + 2) * sizeof(char *));
  if (!grown) abort();
  grown[count] = text;
  grown[count + 1] = NULL;
  *list = grown;
}

static bool read_limit(struct limits *limits, const char *name, const char *value) {
  int64_t number = strtoll(value, NULL, 10);
  if (strcmp(name, "cpu") == 0) limits->cpu_ms = number;
  else if (strcmp(name, "wall") == 0) limits->wall_ms = number;
  else if (strcmp(name, "memory") == 0) limits->memory = number;
  else if (strcmp(name, "output") == 0) limits->output = number;
  else if (strcmp(name, "pids") == 0) limits->pids = number;
  else return false;
  return number > 0;
}

struct job *read_job(char *at, char *end) {
  struct job *job = calloc(1, sizeof *job);
  if (!job) abort();
  while (at < end) {
    char *name, *value;
    size_t length;
    if (take_netstring(&at, end, &name, &length) != 1) return NULL;
    if (take_netstring(&at, end, &value, &length) != 1) return NULL;
    if (strcmp(name, "id") == 0) job->id = strtol(value, NULL, 10);
    else if (strcmp(name, "root") == 0) job->root = value;
    else if (strcmp(name, "sourceName") == 0) job->source_name = value;
    else if (strcmp(name, "source") == 0) job->source = value, job->source_length = length;
    else if (strcmp(name, "compile") == 0) push(&job->compile, value);
    else if (strcmp(name, "run") == 0) push(&job->run, value);
    else if (strcmp(name, "env") == 0) push(&job->env, value);
    else if (strcmp(name, "stops") == 0) job->stops_at_failure = true;
    else if (strcmp(name, "input") == 0) {
      job->tests = realloc(job->tests, (job->test_count + 1) * sizeof *job->tests);
      if (!job->tests) abort();
      job->tests[job->test_count++] = (struct test){.input = value, .input_fd = -1, .expected_fd = -1};
    } else if (strcmp(name, "expected") == 0 && job->test_count > 0) {
      job->tests[job->test_count - 1].expected = value;
    } else if (strncmp(name, "compiling.", 10) == 0) {
      if (!read_limit(&job->compiling, name + 10, value)) return NULL;
    } else if (strncmp(name, "running.", 8) == 0) {
      if (!read_limit(&job->running, name + 8, value)) return NULL;
    } else return NULL;
  }
  bool is_whole = job->id > 0 && job->root && job->source_name && job->source && job->run &&
                  job->env && job->running.wall_ms && job->running.cpu_ms && job->running.memory &&
                  job->running.output && job->running.pids &&
                  (!job->compile || (job->compiling.wall_ms && job->compiling.memory));
  return is_whole ? job : NULL;
}
