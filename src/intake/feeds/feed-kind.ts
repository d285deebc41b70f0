// What a feed's folder exports, as `feed` of its kind.ts: its name on the command line, its parameters and settings, and
// how it is made; and what `--feed` says to it. Nothing lists the feeds; a module of a user's own exports the same.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Setting, ValuesOf } from '../../config/setting.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { Feed } from './feed.js';

/** What a specification on the command line says. */
export interface FeedSpec {
  kind: string;
  args: Record<string, string>;
  /** What stands before the parameters, for kinds with such an argument. */
  argument?: string;
}

export interface FeedAccess<Settings extends readonly Setting[] = []> {
  settings: ValuesOf<Settings>;
  catalogue: Catalogue;
  /** Levels to keep of each side of an order book. */
  depth: number;
  /** Uniform in [0, 1). */
  random(): number;
}

interface FeedKindOf<Settings extends readonly Setting[]> {
  /** The name in `--feed NAME:parameter=value,…`. */
  readonly kind: string;
  /** Parameters; the value of a `list` may contain commas. None by default. */
  readonly parameters?: Readonly<Record<string, 'value' | 'list'>>;
  /** What the specification begins with instead of a parameter, e.g. the name of a file. */
  readonly argument?: string;
  /** Settings of its own, from the environment: addresses, keys. None by default. */
  readonly settings?: Settings;
  /** It states complete leagues of its book: two of them would each remove what the other lists. */
  readonly once?: true;
  /** Whether its prices are made up; false by default. Rejects with an Error of one line. */
  simulated?(spec: FeedSpec): boolean | Promise<boolean>;
  /** Throws an Error of one line if parameters are missing that it cannot do without. */
  check?(spec: FeedSpec): void;
  /** Throws an Error of one line that says what is missing or wrong. */
  make(spec: FeedSpec, access: FeedAccess<Settings>): Feed | Promise<Feed>;
}

/** A kind whose settings are known to itself alone. */
export type FeedKind = FeedKindOf<readonly never[]>;

/** Declares a kind: `make` is given the settings' values by their names. */
export function feedKind<const Settings extends readonly Setting[] = []>(kind: FeedKindOf<Settings>): FeedKind {
  return kind as unknown as FeedKind;
}

// Parses `--feed`: `sim:seed=7,books=28`, `replay:FILE,speed=60`, `the-odds-api:sports=a,b,regions=us`. Error messages may
// end up in a log, so they name parameters but never repeat their values.

const SECRET_NAME = /key|token|secret|password/i;
const PLAIN_NAME = /^[a-z][a-z0-9_-]{0,23}$/;

/** The kind of a specification, and what it says to it. Throws an Error whose message is one line without any value. */
export function parseFeedSpec(text: string, kinds: ReadonlyMap<string, FeedKind>): { kind: FeedKind; spec: FeedSpec } {
  const colon = text.indexOf(':');
  const name = (colon === -1 ? text : text.slice(0, colon)).trim();
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`unknown feed${shown(name)}; known: ${[...kinds.keys(), 'none'].join(', ')}`);
  return { kind, spec: specOf(kind, colon === -1 ? '' : text.slice(colon + 1).trim()) };
}

/** What `rest`, the part after the colon, says to a kind. Throws as parseFeedSpec() does. */
export function specOf(kind: FeedKind, rest: string): FeedSpec {
  const spec =
    kind.argument === undefined ? { kind: kind.kind, args: parseArgs(kind, rest) } : withArgument(kind, rest);
  kind.check?.(spec);
  return spec;
}

/** A file name may contain commas and equals signs: it ends where the first known parameter begins. */
function withArgument(kind: FeedKind, rest: string): FeedSpec {
  const parameters = /,(?=[a-z_]+=)/.exec(rest);
  const argument = (parameters === null ? rest : rest.slice(0, parameters.index)).trim();
  if (argument === '') throw new Error(`${kind.kind}: ${kind.argument} is missing (${kind.kind}:FILE)`);
  const args = parseArgs(kind, parameters === null ? '' : rest.slice(parameters.index + 1));
  return { kind: kind.kind, argument, args };
}

function parseArgs(kind: FeedKind, text: string): Record<string, string> {
  const args: Record<string, string> = {};
  const known = kind.parameters ?? {};
  let last: string | undefined;
  for (const segment of text === '' ? [] : text.split(',')) {
    const equals = segment.indexOf('=');
    if (equals === -1) {
      if (last === undefined || known[last] !== 'list' || segment.trim() === '')
        throw new Error(`${kind.kind}: expected name=value, separated by commas`);
      args[last] += `,${segment.trim()}`;
      continue;
    }
    last = segment.slice(0, equals).trim();
    const value = segment.slice(equals + 1).trim();
    if (!Object.hasOwn(known, last)) throw new Error(unknownParameter(kind, last));
    if (Object.hasOwn(args, last)) throw new Error(`${kind.kind}: ${last} is given twice`);
    if (value === '') throw new Error(`${kind.kind}: ${last} is empty`);
    args[last] = value;
  }
  return args;
}

function unknownParameter({ kind, parameters = {}, settings = [] }: FeedKind, name: string): string {
  const secret = (settings as readonly { env: string }[]).find(({ env }) => SECRET_NAME.test(env));
  if (secret !== undefined && SECRET_NAME.test(name))
    return `${kind}: a key does not belong on the command line; set ${secret.env}`;
  const known = Object.keys(parameters);
  const hint = known.length === 0 ? 'it takes none' : `known: ${known.join(', ')}`;
  return `${kind}: unknown parameter${shown(name)}; ${hint}`;
}

/** A name as the user wrote it, unless it might be a secret in the wrong position. */
function shown(name: string): string {
  return PLAIN_NAME.test(name) && !name.startsWith('sk_') ? ` "${name}"` : '';
}

/** A numeric parameter, or undefined if absent. Throws if it is not a number from `min` to `max`. */
export function numberArg(spec: FeedSpec, name: string, min: number, max: number): number | undefined {
  const text = spec.args[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= min && value <= max)) throw new Error(`${spec.kind}: ${name} is not a number from ${min} to ${max}`);
  return value;
}

/** A list parameter, empty if absent. */
export function listArg(spec: FeedSpec, name: string): string[] {
  const parts = (spec.args[name] ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** A parameter with a fixed set of values, or undefined if absent. */
export function wordArg<T extends string>(spec: FeedSpec, name: string, words: readonly T[]): T | undefined {
  const text = spec.args[name];
  if (text === undefined) return undefined;
  const word = words.find((known) => known === text);
  if (word === undefined) throw new Error(`${spec.kind}: ${name} is not one of ${words.join(', ')}`);
  return word;
}

// Keys and certificates in the operator's files. Errors are one line that names the setting, never the file's content.

/** The text of a file that a setting names. Throws an Error whose message is the line with which the start fails. */
export function readSecretFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
}

/** A private key in PEM. Throws as readSecretFile does. */
export function readPrivateKey(setting: string, path: string): KeyObject {
  const pem = readSecretFile(setting, path);
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error(`${setting}: the file holds no private key in PEM that can be read without a passphrase`);
  }
}

type FeedKinds = ReadonlyMap<string, FeedKind>;

const HERE = new URL('.', import.meta.url);
const loaded = new Map<string, Promise<FeedKinds>>();

/** The kinds of feeds there are, each folder here that has a kind.ts, by name, in the order of their names. */
export function feedKinds(): Promise<FeedKinds> {
  return getOrInsert(loaded, '', () => load());
}

async function load(): Promise<FeedKinds> {
  const folders = readdirSync(fileURLToPath(HERE), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const kinds: FeedKind[] = [];
  for (const { name } of folders) {
    const files = readdirSync(fileURLToPath(new URL(`${name}/`, HERE)));
    if (files.includes('kind.js')) kinds.push(await kindIn(new URL(`${name}/kind.js`, HERE).href));
  }
  return new Map(kinds.sort((a, b) => (a.kind < b.kind ? -1 : 1)).map((kind) => [kind.kind, kind]));
}

/** `./my-feed.js`, `/srv/feeds/mine.mjs:league=nba` … */
const OWN = /^(\.{0,2}\/.*?\.m?js)(?=:|$)/;

/** The module of a specification that names one, and the rest of it; undefined if it names a kind. */
export function ownModule(text: string): { path: string; rest: string } | undefined {
  const path = OWN.exec(text.trim())?.[1];
  return path === undefined ? undefined : { path, rest: text.trim().slice(path.length + 1) };
}

/** The kind that a module of a user's own exports. Rejects with an Error of one line. */
export async function loadOwnKind(path: string): Promise<FeedKind> {
  try {
    return await kindIn(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    const hint = error instanceof SyntaxError && path.endsWith('.js') ? ' (an ES module is named .mjs)' : '';
    throw new Error(`${path}: ${reason}${hint}`);
  }
}

async function kindIn(url: string): Promise<FeedKind> {
  const { feed, default: otherwise } = (await import(url)) as { feed?: unknown; default?: { feed?: unknown } };
  const kind = (feed ?? otherwise?.feed ?? otherwise) as Partial<FeedKind> | undefined;
  if (typeof kind?.kind !== 'string' || typeof kind.make !== 'function')
    throw new Error('it must export feed {kind, make} (docs/guides/feeds-and-ingest.md)');
  return kind as FeedKind;
}
