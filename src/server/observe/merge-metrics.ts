// Merges several processes' Prometheus texts, whose samples already have a label for the process.
import { getOrInsert } from '../../base/memory/get-or-insert.js';

/** Each metric's help and type occur once, its samples in the order of the texts. */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string; samples: string[] }>();
  for (const text of texts)
    for (const part of text.split(/^(?=# HELP )/m)) {
      const head = /^(?:# .*\n?)+/.exec(part)?.[0] ?? '';
      const name = /^# HELP (\S+)/.exec(head)?.[1];
      if (name === undefined) continue;
      const family = getOrInsert(families, name, () => ({ head: head.trimEnd(), samples: [] }));
      const samples = part.slice(head.length).trim();
      if (samples !== '') family.samples.push(samples);
    }
  return `${[...families.values()].map(({ head, samples }) => [head, ...samples].join('\n')).join('\n\n')}\n`;
}
