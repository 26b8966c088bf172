#!/bin/sh
# scripts/version.sh - prints the version of include/glnn/base.h.
set -eu
awk '/^#define GLNN_VERSION_/ { v = v "." $3 } END { print substr(v, 2) }' include/glnn/base.h
