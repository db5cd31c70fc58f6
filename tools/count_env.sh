# count_env.sh: what counts of instructions by valgrind need of the environment, sourced by those that count.
# shellcheck shell=sh

# Above a few kilobytes glibc clears and copies memory by one instruction of the processor, which valgrind counts once for every byte:
# a hundred times what the loop of vector instructions below counts, and what neither takes. All sizes are counted as that loop.
GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000
export GLIBC_TUNABLES
