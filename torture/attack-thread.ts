// The attackers' own thread: what they do to the rig's event loop must not count as the program's delay of others.

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Random } from '../test/world/random.js';
import { Attackers, type AttackKeys } from './attackers.js';
import type { Documents } from './documents.js';
import type { Run } from './run.js';

const TELL_EVERY_MS = 100;

interface Begun {
  url: string;
  seed: number;
  documents: Documents;
  keys: AttackKeys;
}

/** To the thread: what it must know of the run, and whether to attack. */
interface Order {
  attacking: boolean;
  position: number;
  stretch: number;
}

type Report = { counted: string } | { law: string; detail: string } | { ended: true };

export class AttackThread {
  readonly #run: Run;
  readonly #worker: Worker;
  #telling: NodeJS.Timeout | undefined;

  constructor(run: Run, begun: Omit<Begun, 'url'>) {
    this.#run = run;
    const data: Begun = { ...begun, url: run.deployment.url };
    this.#worker = new Worker(new URL(import.meta.url), { workerData: data });
    this.#worker.on('message', (report: Report) => {
      if ('counted' in report) run.count(report.counted);
      else if ('law' in report) run.find(report.law, report.detail);
    });
  }

  begin(): void {
    this.#tell(true);
    this.#telling = setInterval(() => this.#tell(true), TELL_EVERY_MS);
  }

  /** Settles when the last attack has its answer; rejects if the thread died. */
  async end(): Promise<void> {
    if (this.#telling === undefined) return;
    clearInterval(this.#telling);
    this.#telling = undefined;
    this.#tell(false);
    for (;;) {
      const [report] = (await once(this.#worker, 'message')) as [Report];
      if ('ended' in report) return;
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #tell(attacking: boolean): void {
    const { position, starvation } = this.#run;
    this.#worker.postMessage({ attacking, position, stretch: starvation.stretch } satisfies Order);
  }
}

function attack({ url, seed, documents, keys }: Begun): void {
  const random = new Random(seed);
  const known = { position: 0, stretch: 1 };
  const report = (message: Report): void => parentPort!.postMessage(message);
  const target = {
    url,
    get position(): number {
      return known.position;
    },
    get stretch(): number {
      return known.stretch;
    },
    count: (counted: string) => report({ counted }),
    find: (law: string, detail: string) => report({ law, detail }),
  };
  const attackers = new Attackers(target, () => new Random(random.int(0, 2 ** 31)), documents, keys);
  let attacking = false;
  parentPort!.on('message', (order: Order) => {
    Object.assign(known, { position: order.position, stretch: order.stretch });
    if (order.attacking && !attacking) attackers.begin();
    else if (!order.attacking && attacking) void attackers.end().then(() => report({ ended: true }));
    attacking = order.attacking;
  });
}

if (!isMainThread) attack(workerData as Begun);
