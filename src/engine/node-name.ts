// What a process calls itself among those that share a log: unique to it, and telling nothing of the machine.
import { randomBytes } from 'node:crypto';

export function nodeName(): string {
  return `${randomBytes(4).toString('hex')}-${process.pid}`;
}
