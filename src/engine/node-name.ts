// The name of a process among those that share a log: unique, and revealing nothing about the machine.
import { randomBytes } from 'node:crypto';

export function nodeName(): string {
  return `${randomBytes(4).toString('hex')}-${process.pid}`;
}
