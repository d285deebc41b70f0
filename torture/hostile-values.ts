// The worst values that a caller can put into parameters, bodies and messages, by seed.

import { gzipSync } from 'node:zlib';
import { encode } from '../src/base/wire/codec.js';
import type { Random } from '../test/world/random.js';
import type { Json } from './documents.js';

const KIB = 1024;
const TEXTS = [
  '',
  ' ',
  ',',
  '%',
  '\0',
  '\u{1f3c0}',
  "' or 1=1",
  '../..',
  '-0',
  'NaN',
  '1e309',
  '９',
  '__proto__',
  'a\r\nb: c',
];
const NUMBERS = [0, -1, 1, -110, 100, 0.5, 199, 200, 5_000, -100, 1_000, 2 ** 31, 2 ** 53 - 1, 1e308, -1e308, 1e-300];

/** Of each attacker: they take long to make. */
const BOMBS = 5;

export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  encoding: 'gzip' | undefined;
}

export class HostileValues {
  readonly #random: Random;
  readonly #words: readonly string[];
  /** In JSON, and in MessagePack. */
  readonly #bombs: Uint8Array<ArrayBuffer>[][] = [];

  constructor(random: Random, words: readonly string[]) {
    this.#random = random;
    this.#words = words;
  }

  /** Of a parameter: mostly what its schema accepts, at its most costly. */
  parameter(schema: Json): string {
    const random = this.#random;
    if (random.chance(0.15)) return this.text();
    const listed: unknown[] = schema.enum ?? schema.items?.enum ?? schema.anyOf?.map((each: Json) => each.const) ?? [];
    if (listed.length > 0) return random.shuffled(listed).slice(0, random.int(1, listed.length)).join(',');
    if (schema.type === 'boolean') return random.pick(['true', 'false', '1', 'maybe']);
    if (schema.type === 'integer' || schema.type === 'number') return String(this.number(schema));
    if (schema.format === 'date-time') return this.#time();
    return this.#names().join(',');
  }

  /** Of a schema, or something else. */
  value(schema: Json, levels = 0): Json {
    const random = this.#random;
    if (levels > 6 || random.chance(0.08)) return random.pick([null, [], {}, this.text(), random.pick(NUMBERS), true]);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return random.pick(schema.enum);
    const branches: Json[] | undefined = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.value(random.pick(branches), levels + 1);
    switch (schema.type) {
      case 'object':
        return Object.fromEntries([
          ...Object.entries<Json>(schema.properties ?? {})
            .filter(([name]) => (schema.required?.includes(name) ? random.chance(0.95) : random.chance(0.5)))
            .map(([name, member]) => [name, this.value(member, levels + 1)]),
          ...(random.chance(0.1) ? [['__proto__', { x: 1 }]] : []),
        ]);
      case 'array':
        return Array.from({ length: random.pick([0, 1, 3, schema.maxItems ?? 20]) }, () =>
          this.value(schema.items ?? {}, levels + 1),
        );
      case 'integer':
      case 'number':
        return this.number(schema);
      case 'boolean':
        return random.chance(0.5);
      default:
        return schema.format === 'date-time'
          ? this.#time()
          : random.chance(0.7)
            ? random.pick(this.#words)
            : this.text();
    }
  }

  number({ minimum, maximum, type }: Json): number {
    const random = this.#random;
    const number = random.pick([minimum, maximum, maximum, ...NUMBERS].filter((each) => each !== undefined));
    return type === 'integer' && random.chance(0.8) ? Math.trunc(number) : number;
  }

  text(): string {
    const random = this.#random;
    if (random.chance(0.6)) return random.pick(TEXTS);
    return random.pick(['a', ',', 'a,', '\u0301', '\u{1f468}\u200d', '-', '9', '[']).repeat(random.int(1, 2_000));
  }

  /** About as many bytes as given, of a kind that costs most to read; what it unpacks to may be far larger. */
  body(value: Json, type: string, bytes: number): Body {
    const random = this.#random;
    const size = random.chance(0.3) ? bytes : random.int(1, Math.min(bytes, 64 * KIB));
    const shaped = random.chance(0.5);
    const packed = type.includes('msgpack');
    const zipped = random.chance(0.3);
    if (zipped && !shaped) return { bytes: this.#bomb(packed), encoding: 'gzip' };
    const text = shaped ? Buffer.from(packed ? encode(value) : JSON.stringify(value)) : this.#bulk(size, packed);
    return {
      bytes: new Uint8Array(zipped ? gzipSync(text, { level: 1 }) : text),
      encoding: zipped ? 'gzip' : undefined,
    };
  }

  /** A few kilobytes that unpack to 8 MiB. */
  #bomb(packed: boolean): Uint8Array<ArrayBuffer> {
    if (this.#bombs.length < BOMBS)
      this.#bombs.push([false, true].map((each) => zippedBomb(this.#bulk(8 * KIB * KIB, each))));
    return this.#random.pick(this.#bombs)[packed ? 1 : 0]!;
  }

  #bulk(size: number, packed: boolean): Buffer {
    const random = this.#random;
    if (packed)
      return random.pick([() => Buffer.alloc(size, 0x91), () => packedNulls(size), () => Buffer.alloc(size, 0xc1)])();
    const fill = (open: string, unit: string, close: string): Buffer =>
      Buffer.from(open + unit.repeat(Math.max(1, Math.floor(size / unit.length))) + close);
    const [open, unit, close] = random.pick([
      ['', '[', ''],
      ['', '{"a":', ''],
      ['[', '1,', '1]'],
      ['[', '{},', '0]'],
      ['{"book":"fuzz","events":[', '{},', '0]}'],
      ['{"event_ids":[', '7,', '7]}'],
      ['{"ids":[', '"",', '""]}'],
      ['{"bets":[', '{},', '{}]}'],
      ['{"a":"', '\\u0041', '"}'],
      ['{', '"a":1,', '"a":1}'],
      ['[', `${'9'.repeat(400)},`, '1]'],
      ['', 'x\n', ''],
      ['', '{"a":1}\n', ''],
      ['', '\n', ''],
      ['', '\xff', ''],
    ] as const);
    if (random.chance(0.15)) return Buffer.from(`[${differentNames(size)}]`);
    return fill(open, unit, close);
  }

  #names(): string[] {
    const random = this.#random;
    const count = random.pick([1, 1, 2, 5, 40]);
    return Array.from({ length: count }, () => random.pick(this.#words));
  }

  #time(): string {
    const random = this.#random;
    const now = Date.now();
    return new Date(random.pick([0, now, now - 60_000, now - 86_400_000, now + 86_400_000])).toISOString();
  }
}

function zippedBomb(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(bytes, { level: 1 }));
}

function packedNulls(size: number): Buffer {
  const bytes = Buffer.alloc(5 + size, 0xc0);
  bytes[0] = 0xdd;
  bytes.writeUInt32BE(size, 1);
  return bytes;
}

function differentNames(size: number): string {
  const objects: string[] = [];
  for (let length = 0, no = 0; length < size; length += objects.at(-1)!.length)
    objects.push(`{${Array.from({ length: 50 }, () => `"k${(no++).toString(36)}":1`)}}`);
  return objects.join(',');
}
