#!/bin/bash
# Runs the checks of the labs with the tool chain of the machine it is started on.
#
# usage: check_labs.sh [--starter] [SLUG…]     (no slug: every lab)
#
# Each lab is laid out in a folder of its own, as the platform's test does it in a container: the bundle,
# the solution over it, the notebook runner beside them. With --starter the untouched bundle lies on top,
# and the check must FAIL: a check that the starter passes checks nothing.
set -u
content=$(cd "$(dirname "$0")/.." && pwd)
starter=no
if [ "${1:-}" = --starter ]; then starter=yes; shift; fi
if [ $# -eq 0 ]; then
  for folder in "$content"/labs/*/; do set -- "$@" "$(basename "$folder")"; done
fi

status=0
for slug; do
  lab=$content/labs/$slug
  if grep -q '"specification": "[a-z]*-cluster"' "$lab/lab.json"; then
    echo "skip  $slug: needs the nodes of a cluster, which only the platform's test starts"; continue
  fi
  place=$(mktemp -d)
  cp -rT "$lab/bundle" "$place"
  cp -rT "$lab/solution" "$place"
  if [ $starter = yes ]; then cp -rT "$lab/bundle" "$place"; fi
  cp "$content/tools/run_notebook.py" "$place"
  chmod -R u+w "$place"
  started=$(date +%s)
  (cd "$place" && bash ./check.sh) >"$place/.log" 2>&1
  code=$?
  took=$(($(date +%s) - started))
  if [ $starter = yes ]; then
    if [ $code -ne 0 ]; then
      echo "ok    $slug: the starter fails its check, as it should (${took} s): $(tail -n 1 "$place/.log")"
    else
      echo "FAIL  $slug: the untouched starter passes the check"; status=1
    fi
  elif [ $code -eq 0 ]; then
    sed 's/^/      /' "$place/.log"
    echo "ok    $slug (${took} s)"
  else
    sed 's/^/      /' "$place/.log"
    echo "FAIL  $slug (${took} s, status $code)"; status=1
  fi
  rm -rf "$place"
done
exit $status
