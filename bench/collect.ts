// On SIGUSR2 a server of the bench collects its garbage, so that memory measured after it is memory held.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectOnSignal(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    // Twice: what finalizers let go of is free only the second time.
    collect();
    setImmediate(collect);
  });
}
