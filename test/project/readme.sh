#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C example of the README compiles without a warning and agrees. Usage:
# readme.sh README WORK_DIR CC INCLUDE_DIR LIBCRYPTO
set -eu
readme=$1 work=$2 cc=$3 include=$4 libcrypto=$5

awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$readme" > "$work/readme_example.c"
grep -q 'int main(void)' "$work/readme_example.c"
"$cc" -std=c11 -Wall -Wextra -Werror -I"$include" -o "$work/readme_example" \
    "$work/readme_example.c" "$libcrypto"
[ "$("$work/readme_example")" = agreed ]
