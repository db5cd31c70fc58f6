#!/bin/sh
# Manual pages and completions of shells: every command and option is there, and man, bash, zsh and fish take them.
set -u
# shellcheck source=tests/cli_harness.sh
. "$(dirname "$0")/cli_harness.sh"

commands=$("$program" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')

# The long options of the command $1, a line each.
options_of() {
    "$program" help "$1" | sed -n '/^Options:/,/^$/s/^  .\{4\}--\([a-z-]*\).*/\1/p'
}

manual() {
    [ "$(printf '%s\n' "$commands" | wc -l)" -ge 25 ] || wrong "few commands: $commands"
    for command in '' $commands; do
        # shellcheck disable=SC2086 # no word where there is no command
        run 0 help $command --man
        mv out page.1
        [ -z "$command" ] || for option in $(options_of "$command"); do
            grep -q -e "\\\\-\\\\-$(printf '%s' "$option" | sed 's/-/\\\\-/g')\\\\fR" page.1 || wrong "no --$option in the page of '$command'"
        done
        if command -v groff >/dev/null 2>&1; then
            preconv -e utf-8 page.1 2>/dev/null | groff -man -Tutf8 -ww -rLL=100n >shown 2>said || wrong "groff does not take the page of '$command'"
            [ ! -s said ] || wrong "groff on the page of '$command': $(head -n 2 said)"
            grep -q "holonom.*$command" shown || wrong "nothing of '$command' in $(head -n 5 shown)"
        fi
    done
    has page.1 '^.SH EXIT STATUS'
    run 0 help run --man
    has out '\\fBtolerance\\fR'
}
try manual "manual pages: every command, every option, no warning of the formatter"

# What bash offers for the words behind $1, the last of them unfinished.
offers() {
    bash --norc --noprofile -c 'source ./completion; compopt() { :; }
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holonom; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# bash offers the line $1 (or does not: $1 begins with !) for the words behind it.
offered() {
    want=$1
    shift
    offers "$@" >list 2>err
    [ ! -s err ] || wrong "bash for '$*': $(head -n 2 err)"
    case $want in
    !*) ! grep -qx -e "${want#!}" list || wrong "bash offers ${want#!} for '$*'" ;;
    *) grep -qx -e "$want" list || wrong "bash does not offer $want for '$*': $(head -n 4 list)" ;;
    esac
}

in_bash() {
    command -v bash >/dev/null 2>&1 || return 77
    run 0 completion bash
    mv out completion
    : >'a b.yaml'
    : >model.yaml
    : >model.h5
    : >model.txt
    mkdir models
    offered run holonom r
    offered '!check' holonom r
    offered --help holonom ''
    offers holonom help '' >list
    for command in $commands; do grep -qx "$command" list || wrong "bash does not offer $command behind help"; done
    for command in $commands; do
        offers holonom "$command" -- >list
        for option in $(options_of "$command"); do grep -qx -e "--$option" list || wrong "bash: no --$option of $command"; done
    done
    offered lagrange holonom run model.yaml --method la
    offered lagrange holonom run model.yaml -m la
    offered relative holonom linearize model.yaml --coordinates ''
    for name in model.yaml model.h5 models 'a b.yaml'; do offered "$name" holonom run ''; done
    offered '!model.txt' holonom run ''
    offered model.txt holonom run model.yaml -o model.t
    offered revolute holonom elements rev
    offered zsh holonom completion ''
    offered models holonom run model.yaml --include-root ''
    offered '!model.yaml' holonom run model.yaml --include-root ''
    offered '!model.yaml' holonom run model.yaml --step ''
}
try in_bash "bash: commands, options, values of options, models and files with their endings"

in_zsh() {
    command -v zsh >/dev/null 2>&1 || return 77
    run 0 completion zsh
    mv out _holonom
    zsh -n _holonom 2>err || wrong "zsh: $(head -n 2 err)"
    # each specification is taken by _arguments, which is called for each command with nothing typed
    zsh -f -c 'autoload -Uz compinit; compinit -D -d dump 2>/dev/null
        _arguments() { for spec; do [[ $spec == *\[*\]* || $spec == \** ]] || print -r -- "odd: $spec"; done; print -r -- "$#" }
        _describe() { print -r -- "described ${#commands}" }
        for w in "$@"; do words=(holonom $w x); CURRENT=3; source ./_holonom; done
        words=(holonom x); CURRENT=2; source ./_holonom' zsh $commands >list 2>err
    [ ! -s err ] || wrong "zsh: $(head -n 3 err)"
    lacks list odd
    [ "$(grep -c '^[0-9]' list)" -eq "$(printf '%s\n' "$commands" | wc -l)" ] || wrong "zsh: not every command: $(cat list)"
    has list "described $(printf '%s\n' "$commands" | wc -l)"
}
try in_zsh "zsh: every command with its options"

in_fish() {
    command -v fish >/dev/null 2>&1 || return 77
    run 0 completion fish
    mv out holonom.fish
    fish --no-config -c 'source holonom.fish; complete -C "holonom lin"; complete -C "holonom run m.yaml --method la"
        complete -C "holonom check --inc"' >list 2>err
    [ ! -s err ] || wrong "fish: $(head -n 2 err)"
    has list '^linearize'
    has list '^lagrange'
    has list '^--include-root'
}
try in_fish "fish: commands, options and values"

no_shell() {
    run 2 completion tcsh
    has err "there is no shell 'tcsh'; one of bash, zsh, fish"
    run 2 completion
}
try no_shell "another shell is refused"

finish
