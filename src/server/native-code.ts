// The one part of the program that nobody can read: uWebSockets' compiled code. Before it is loaded its hash is
// compared with the one known to this version, so that neither a registry nor a disk can replace it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The package that contains it; another version has other binaries. */
export const NATIVE_PACKAGE = 'uws-pack 20.0.8';

/** SHA-256 of each file, by system, processor and ABI of the supported versions of Node.js. */
export const NATIVE_SHA256: Readonly<Record<string, string>> = {
  'uws_darwin_arm64_115.node': '5d523bccbe80d3d8fa59422ff81801b8179212b9a8a5da28bff6926a95a65701',
  'uws_darwin_arm64_127.node': 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
  'uws_darwin_x64_115.node': '1f2a5c73d9dc3066d39b675b73f2c50eddbc4f270d292a6126ddfe3757c54cf9',
  'uws_darwin_x64_127.node': 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  'uws_linux_arm64_115.node': 'c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769',
  'uws_linux_arm64_127.node': 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  'uws_linux_arm_115.node': 'b02d5bc5ab08f040b6b9b818c3eb92806611f77a4dc2439a8f14cac827d498be',
  'uws_linux_arm_127.node': '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
  'uws_linux_x64_115.node': '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
  'uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  'uws_win32_x64_115.node': '58c8b8e47ae3dc6c382dbfc24656755106cbecce56add05ca2c32d5c39951ddd',
  'uws_win32_x64_127.node': '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
};

/** Name of the file that this process would load. */
export function nativeFile(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}

/** Where the package stores its files. */
export function nativeFolder(): URL {
  return new URL('./bin/', import.meta.resolve('uWebSockets.js'));
}

/** Throws an Error with a one-line message if the file does not have the known hash. */
export function checkNativeCode(folder = nativeFolder(), file = nativeFile()): void {
  const expected = NATIVE_SHA256[file];
  const advice = 'install anew with npm ci, or let any be loaded with --native-code any';
  // The package has no binary for this Node.js: loading it reports that.
  if (expected === undefined && !existsSync(new URL(file, folder))) return;
  if (expected === undefined) throw new Error(`uWebSockets: ${file} is none of ${NATIVE_PACKAGE}; ${advice}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(new URL(file, folder));
  } catch (error) {
    throw new Error(`uWebSockets: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); ${advice}`);
  }
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== expected)
    throw new Error(
      `uWebSockets: ${file} is not that of ${NATIVE_PACKAGE} (SHA-256 ${found.slice(0, 16)}…); ${advice}`,
    );
}
