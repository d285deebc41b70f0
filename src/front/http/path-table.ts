// Which methods a path accepts: only used when no route matched, to distinguish 405 from 404.
import type { Route } from './context.js';

export class PathTable {
  readonly #patterns = new Map<string, { segments: string[]; methods: Set<string> }>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** Methods of every pattern the path matches, for the `Allow` header; empty for an unknown path. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const methods = new Set<string>();
    for (const pattern of this.#patterns.values()) {
      if (!matches(pattern.segments, segments)) continue;
      for (const method of pattern.methods) methods.add(method);
    }
    return [...methods].sort();
  }

  #add({ path, method, streaming }: Route): void {
    const pattern = this.#patterns.get(path) ?? { segments: path.split('/'), methods: new Set(['OPTIONS']) };
    pattern.methods.add(method);
    if (method === 'GET' && !streaming) pattern.methods.add('HEAD');
    this.#patterns.set(path, pattern);
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  );
}
