// Faults of the operating system: a clock that is set, a disk that is slow, fails or is full. A small library is
// compiled with the machine's C compiler and preloaded into the program; without a compiler these faults are omitted.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SHIM = fileURLToPath(new URL('../../torture/shim.c', import.meta.url));

const FIELDS = ['clockMs', 'syncDelayMs', 'syncFails', 'diskFull', 'headFails'] as const;
type Field = (typeof FIELDS)[number];

export class SystemFaults {
  /** Environment with which the program must be started. */
  readonly env: Readonly<Record<string, string>>;
  readonly #library: string;
  readonly #file: number;
  readonly #values = new Map<Field, number>();

  private constructor(library: string, path: string, flags: 'w+' | 'r+') {
    this.#library = library;
    this.#file = openSync(path, flags);
    if (flags === 'w+') for (const field of FIELDS) this.set(field, 0);
    this.env = { LD_PRELOAD: library, OVERROUND_TORTURE_FAULTS: path };
  }

  /** Those of this process, which was started with them. */
  static ofThisProcess(): SystemFaults {
    const { LD_PRELOAD: library, OVERROUND_TORTURE_FAULTS: path } = process.env;
    return new SystemFaults(library!, path!, 'r+');
  }

  /** Null if there is no compiler, or the system does not support preloading. */
  static build(source: string, folder: string): SystemFaults | null {
    if (process.platform !== 'linux') return null;
    const library = join(folder, 'faults.so');
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'], { stdio: 'pipe' });
    } catch {
      return null;
    }
    return new SystemFaults(library, join(folder, 'faults'), 'w+');
  }

  /** The same library for another node, whose faults are configured in `folder`. */
  ofNode(folder: string): SystemFaults {
    return new SystemFaults(this.#library, join(folder, 'faults'), 'w+');
  }

  get(field: Field): number {
    return this.#values.get(field) ?? 0;
  }

  /** Applies to the running program from its next call on. */
  set(field: Field, value: number): void {
    this.#values.set(field, value);
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    writeSync(this.#file, bytes, 0, 8, FIELDS.indexOf(field) * 8);
  }

  close(): void {
    closeSync(this.#file);
  }
}
