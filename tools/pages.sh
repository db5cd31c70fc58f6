#!/bin/sh
# Write the manual pages of the program and the completions of shells, as they are installed.
#
#   pages.sh PROGRAM FOLDER    FOLDER/man/man1/holonom*.1, FOLDER/bash-completion/…, FOLDER/zsh/…, FOLDER/fish/…
set -eu

program=$1
folder=$2
man=$folder/man/man1
bash=$folder/bash-completion/completions
zsh=$folder/zsh/site-functions
fish=$folder/fish/vendor_completions.d
mkdir -p "$man" "$bash" "$zsh" "$fish"

"$program" help --man >"$man/holonom.1"
for command in $("$program" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'); do
    "$program" help "$command" --man >"$man/holonom-$command.1"
done
"$program" completion bash >"$bash/holonom"
"$program" completion zsh >"$zsh/_holonom"
"$program" completion fish >"$fish/holonom.fish"
