// On SIGUSR2 a server of the bench collects its garbage, so that memory measured afterwards is in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectOnSignal(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => {
    // Twice: what finalizers release is only free the second time.
    collect();
    setImmediate(collect);
  });
}
