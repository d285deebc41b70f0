// Options of a run of the torture rig.
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName } from './fault-names.js';

export interface Options {
  minutes: number;
  seed: number;
  /** Front processes of the program; 0 is one process. */
  fronts: number;
  /** Two engines and a front, with a NATS server. */
  cluster: boolean;
  /** Ingest is acknowledged once the disk has it: a loss of power takes nothing. */
  flush: boolean;
  /** Approximate polls per book and second. */
  rate: number;
  /** Attacks in place of faults. */
  fuzz: boolean;
  /** The simulated market alone, for two hours: memory must not grow. */
  soak: boolean;
  /** How many times as fast these pass. */
  accelerate: number;
  /** Faults to choose from. */
  faults: readonly FaultName[];
  /** Approximate seconds between two faults. */
  everyS: number;
  /** Path of the report, as JSON; undefined: only to standard output. */
  report: string | undefined;
  /** Path of a file for what the program prints; undefined: it is not kept. */
  log: string | undefined;
  /** The data directory is not removed. */
  keep: boolean;
}

export const USAGE = `npm run torture -- [--minutes N] [--seed S] [--fronts N | --cluster] [--flush] [--rate POLLS] [--fuzz] [--faults a,b] [--every S] [--report FILE] [--log FILE] [--keep]
  or: npm run torture -- --soak [--accelerate N] [--seed S] [--report FILE]
  faults: ${FAULT_NAMES.join(', ')}`;

/** Throws an Error with a one-line message. `freshSeed` is the default seed. */
export function parseOptions(args: readonly string[], freshSeed: number): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string' },
      fronts: { type: 'string', default: '0' },
      cluster: { type: 'boolean', default: false },
      flush: { type: 'boolean', default: false },
      rate: { type: 'string', default: '5' },
      fuzz: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      accelerate: { type: 'string', default: '1' },
      faults: { type: 'string', default: FAULT_NAMES.join(',') },
      every: { type: 'string', default: '6' },
      report: { type: 'string' },
      log: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  });
  const number = (name: string, text: string, least: number): number => {
    const value = Number(text);
    if (!(value >= least)) throw new Error(`--${name} must be a number of at least ${least}, not "${text}"`);
    return value;
  };
  const faults = values.faults.split(',').filter((name) => name !== '');
  for (const name of faults)
    if (!FAULT_NAMES.includes(name as FaultName)) throw new Error(`--faults: there is no "${name}"\n${USAGE}`);
  if (values.cluster && values.fronts !== '0') throw new Error('--cluster has a front of its own: leave --fronts out');
  return {
    minutes: number('minutes', values.minutes, 0.1),
    seed: values.seed === undefined ? freshSeed : number('seed', values.seed, 0),
    fronts: number('fronts', values.fronts, 0),
    cluster: values.cluster,
    flush: values.flush,
    rate: number('rate', values.rate, 0.01),
    fuzz: values.fuzz,
    soak: values.soak,
    accelerate: number('accelerate', values.accelerate, 1),
    faults: values.fuzz ? [] : (faults as FaultName[]),
    everyS: number('every', values.every, 0.5),
    report: values.report,
    log: values.log,
    keep: values.keep,
  };
}
