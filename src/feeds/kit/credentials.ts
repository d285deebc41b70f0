// Keys and certificates that the operator keeps in files. What is wrong is one clear line that names the setting, never
// the file's content.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The text of a file that a setting names. Throws an Error whose message is the line the start ends with. */
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
