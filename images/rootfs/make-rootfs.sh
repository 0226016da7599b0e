#!/bin/sh
# Writes a minimal Debian root file system as a tar to standard output.
#
# The builder sets MIRROR (an archive's address) and ARCH; arguments are passed on to mmdebstrap,
# for example the host's proxy as --aptopt. Nothing of them may stay in the result, for the image
# must not know on which network it was built: the apt configuration that mmdebstrap writes is
# removed, and the base image names the public archive in its place.
set -eu

exec mmdebstrap \
  --mode=auto \
  --variant=minbase \
  --architectures="$ARCH" \
  --components=main \
  --include=ca-certificates \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --customize-hook='cd "$1" && rm -rf etc/apt/apt.conf.d/99mmdebstrap etc/apt/sources.list etc/dpkg/dpkg.cfg.d/99mmdebstrap etc/resolv.conf etc/hostname var/lib/apt/lists/* var/cache/apt/* var/log/*.log var/log/apt' \
  "$@" \
  trixie - \
  "deb $MIRROR trixie main" "deb $MIRROR trixie-updates main"
