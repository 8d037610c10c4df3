#!/usr/bin/env bash
# The recipes of docs/scale.md, with a few claims: processes, mpirun with a rank that is killed, a Slurm
# job array on daemons of its own. The report is that of a single run. mpirun and Slurm are left out
# where they are not installed (Debian: openmpi-bin; slurm-wlm and munge, which need root).
# Usage: cluster.sh PROGRAM
set -euo pipefail
# shellcheck source=tests/checks.sh
source "$(dirname -- "$0")/checks.sh"
binary=$(readlink -f -- "$1")
cd -- "$scratch"

only=(--only 'tao.truncated_mean.*')
printf '#!/bin/sh\nexec "%s" "$@" %s "%s"\n' "$binary" "${only[@]}" >dpverify
chmod +x dpverify
recipe() {  # name; with few parts
  sed -n "/<!-- recipe: $1 -->/,/<!-- \/recipe -->/p" "$root/docs/scale.md" |
    sed '/^<!--/d; /^```/d; s/\b40\b/7/g; s/%32//; s|build/release/|./|'
}
measured() { sed '/^  "timings": {/,$d' "$1/report.json"; }
is_whole() {  # what
  check "$1: exit code" 0 "$code"
  check "$1: the report of a single run" same "$(cmp <(measured whole) <(measured shared) && echo same)"
  check "$1: nothing is left of the parts" "report.html report.json" "$(cd shared && echo report* unfinished* | sed 's/ unfinished\*//')"
  rm -rf shared
}

"$binary" verify "${only[@]}" --out whole >/dev/null

recipe processes >processes.sh
run bash processes.sh
check "processes: seven parts" 7 "$(grep -c '^Part . of 7: ' <<<"$out")"
is_whole processes

if command -v mpirun >/dev/null; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  recipe mpi >mpi.sh
  # One rank is killed as soon as something is kept, the others end with it.
  sed '$d' mpi.sh >first.sh
  bash first.sh >stdout 2>stderr &
  job=$!
  rank=''
  while kill -0 "$job" 2>/dev/null && [[ -z $rank ]]; do
    [[ -z $(find shared/unfinished -name '*.txt' 2>/dev/null) ]] ||
      rank=$(pgrep -f -- "^$binary verify .*--shard auto .*truncated_mean" | head -n 1)
    sleep 0.01
  done
  [[ -z $rank ]] || kill -9 "$rank"
  code=0
  wait "$job" || code=$?
  check "mpirun, a rank is killed: exit code" "[1-9]*" "$code"
  check "mpirun, a rank is killed: pieces are kept" "*.txt*" "$(ls shared/unfinished)"
  run bash mpi.sh
  check "mpirun again: four parts" 4 "$(grep -c '^Part . of 4: ' <<<"$out")"
  is_whole mpirun
else
  echo "skipped mpirun, which is not installed"
fi

stop_slurm() {
  local file daemon
  for file in slurmd.pid slurmctld.pid munged.pid; do
    [[ -s $scratch/slurm/$file ]] || continue
    daemon=$(<"$scratch/slurm/$file")
    kill "$daemon" 2>/dev/null || true
    for _ in $(seq 100); do
      kill -0 "$daemon" 2>/dev/null || break
      sleep 0.1
    done
  done
  rm -rf -- "$scratch"
}
start_slurm() {
  local host
  host=$(hostname -s)
  trap stop_slurm EXIT
  mkdir -p slurm/state slurm/spool
  head -c 1024 /dev/urandom >slurm/munge.key
  chmod 0400 slurm/munge.key
  chmod 0755 "$scratch" slurm
  munged --force --key-file="$PWD/slurm/munge.key" --socket="$PWD/slurm/munge.socket" \
    --pid-file="$PWD/slurm/munged.pid" --log-file="$PWD/slurm/munged.log" --seed-file="$PWD/slurm/munge.seed"
  cat >slurm/slurm.conf <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=47817
SlurmdPort=47818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$PWD/slurm/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/spool
SlurmctldPidFile=$PWD/slurm/slurmctld.pid
SlurmdPidFile=$PWD/slurm/slurmd.pid
SlurmctldLogFile=$PWD/slurm/slurmctld.log
SlurmdLogFile=$PWD/slurm/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
END
  export SLURM_CONF=$PWD/slurm/slurm.conf
  slurmctld && slurmd || return 1
  for _ in $(seq 100); do
    [[ $(sinfo --noheader --format=%t 2>/dev/null) != idle ]] || return 0
    sleep 0.1
  done
  return 1
}
if [[ $(id -u) == 0 ]] && command -v slurmctld slurmd sbatch munged >/dev/null && start_slurm; then
  recipe slurm >job.sh
  mkdir shared
  run sbatch --wait job.sh
  check "slurm: exit code of the jobs" "0 " "$code $err"
  check "slurm: seven parts" 7 "$(cat shared/*.log | grep -c '^Part . of 7: ')"
  rm shared/*.log
  run ./dpverify verify --out shared
  is_whole slurm
else
  echo "skipped Slurm, which is not installed, or does not start here"
fi

finish
