// Keys and certificates in the operator's files. Errors are one line that names the setting, never the file's content.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

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
