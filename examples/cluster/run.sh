#!/usr/bin/env bash
# Three NATS servers, two engines and two fronts on this machine, all below one folder. Ends all of it with Ctrl-C.
# Needs nats-server (Debian: apt install nats-server) and a built overround; run it from the repository: examples/cluster/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-./cluster-data}
overround=${OVERROUND:-node dist/src/main.js}
servers=nats://127.0.0.1:4222,nats://127.0.0.1:4223,nats://127.0.0.1:4224
routes=nats://127.0.0.1:6222,nats://127.0.0.1:6223,nats://127.0.0.1:6224
mkdir -p "$folder"

# Whatever ends this script ends what it started.
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait' EXIT
trap 'exit 0' INT TERM

for i in 0 1 2; do
  nats-server -js -n "nats-$i" -a 127.0.0.1 -p $((4222 + i)) -sd "$folder/nats-$i" \
    --cluster_name overround --cluster "nats://127.0.0.1:$((6222 + i))" --routes "$routes" >"$folder/nats-$i.log" 2>&1 &
  pids+=($!)
done

for i in 0 1; do
  $overround serve --cluster "$servers" --role engine --data "$folder/engine-$i" --port $((8081 + i)) --feed sim \
    >"$folder/engine-$i.log" 2>&1 &
  pids+=($!)
done
for i in 0 1; do
  $overround serve --cluster "$servers" --role front --data "$folder/front-$i" --port $((8091 + i)) --feed none \
    >"$folder/front-$i.log" 2>&1 &
  pids+=($!)
done

for port in 8081 8082 8091 8092; do
  until curl -fs "http://127.0.0.1:$port/readyz" >/dev/null; do sleep 0.2; done
  echo "ready: http://127.0.0.1:$port"
done

# A key that may do everything. An engine makes it, so one must be ready; kept in the cluster.
$overround keys create --cluster "$servers" --tier enterprise --scope ingest --streaming --name example
echo "kill any of them: ${pids[*]}"
wait
