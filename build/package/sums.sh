#!/usr/bin/env bash
# Writes dist/SHA256SUMS, of every package in dist/, and checks the sizes: the last step of `make package`.
set -euo pipefail
cd "$(dirname "$0")/../../dist"
rm -f SHA256SUMS
find . -maxdepth 1 -type f -name 'voicewright*' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
../build/package/sizes.sh .
