// Metrics of a process among others that share one log.
import { Counter, Gauge, type Registry } from 'prom-client';

export interface ClusterWatch {
  /** How far its table is behind the log's writer. */
  lagMs(): number;
  /** Changes of the writer that it has seen. */
  leaseChanges(): number;
}

export function watchCluster(registry: Registry, { lagMs, leaseChanges }: ClusterWatch): void {
  const registers = [registry];
  new Gauge({
    name: 'overround_follow_lag_seconds',
    help: "How far this process's table is behind the log's writer, in seconds.",
    registers,
    collect() {
      this.set(lagMs() / 1000);
    },
  });
  new Counter({
    name: 'overround_lease_changes_total',
    help: 'Changes of the process that writes the log, as this one has seen them.',
    registers,
    collect() {
      this.reset();
      this.inc(leaseChanges());
    },
  });
}
