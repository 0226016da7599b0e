/*
 * Output against the expected one, token by token, white space apart, as it streams: neither side
 * is ever copied, and of what differs only the beginning of one token is kept.
 */
#include "judge.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void compare_begin(struct comparison *state, const char *expected, size_t length) {
  memset(state, 0, sizeof *state);
  state->expected = expected;
  state->expected_end = expected + length;
}

/** Steps to the next expected token; an empty one when there is none. */
static void next_token(struct comparison *state) {
  const char *at = state->token_end ? state->token_end : state->expected;
  while (at < state->expected_end && is_space(*at)) at++;
  state->token = at;
  while (at < state->expected_end && !is_space(*at)) at++;
  state->token_end = at;
  state->number++;
}

static size_t token_length(const struct comparison *state) {
  return (size_t)(state->token_end - state->token);
}

/** Notes that the current token differs; what agreed of it belongs to what was found. */
static void note_difference(struct comparison *state, bool has_found, size_t agreed) {
  state->differs = true;
  state->has_found = has_found;
  state->found_length = agreed < TOKEN_KEPT ? agreed : TOKEN_KEPT;
  memcpy(state->found, state->token, state->found_length);
}

void compare_more(struct comparison *state, const char *output, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char c = output[i];
    if (state->differs) {
      if (!state->found_is_open) return;
      if (is_space(c) || state->found_length == TOKEN_KEPT) state->found_is_open = false;
      else state->found[state->found_length++] = c;
      continue;
    }
    if (is_space(c)) {
      if (state->is_inside && state->in_token != token_length(state))
        note_difference(state, true, state->in_token);
      state->is_inside = false;
      continue;
    }
    if (!state->is_inside) {
      next_token(state);
      state->is_inside = true;
      state->in_token = 0;
    }
    if (state->in_token < token_length(state) && state->token[state->in_token] == c) {
      state->in_token++;
      continue;
    }
    note_difference(state, true, state->in_token);
    state->found_is_open = state->found_length < TOKEN_KEPT;
    if (state->found_is_open) state->found[state->found_length++] = c;
  }
}

bool compare_end(struct comparison *state) {
  if (state->differs) return false;
  if (state->is_inside && state->in_token != token_length(state)) {
    note_difference(state, true, state->in_token);
    return false;
  }
  next_token(state);
  if (token_length(state) > 0) note_difference(state, false, 0);
  return !state->differs;
}
