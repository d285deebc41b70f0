// The one part of the program that nobody can read: uWebSockets' compiled code. Before it is loaded its hash is
// compared with the one known to this version, so that neither a registry nor a disk can replace it.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

export interface NativePackage {
  /** As it is imported. */
  name: string;
  /** Name and version on the registry; another version has other binaries. */
  release: string;
  /** Of its binaries, from its entry. */
  folder: string;
  /** SHA-256 of each file, by system, processor and ABI of Node.js. */
  sha256: Readonly<Record<string, string>>;
}

/** In the order in which they are tried: the second has binaries for later versions of Node.js, which need a later glibc. */
export const NATIVE_PACKAGES: readonly NativePackage[] = [
  {
    name: 'uWebSockets.js',
    release: 'uws-pack 20.0.8',
    folder: './bin/',
    sha256: {
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
    },
  },
  {
    name: '@btc-vision/uwebsockets.js',
    release: '@btc-vision/uwebsockets.js 20.57.0',
    folder: './',
    sha256: {
      'uws_darwin_arm64_115.node': 'e92644395ac8d37cb078098f843fb1b82e59701832f38fed00a9bdcfb87ba939',
      'uws_darwin_arm64_127.node': '6180345d453e2e113feb2b0d76376493cd6a90056c3483fc22de7b0c340dc231',
      'uws_darwin_arm64_137.node': '2187391c702fa7ad3bf685eff7712c15cf24fa7cf324a131dfcbae3fd0f20a9a',
      'uws_darwin_arm64_141.node': '8555586f69116620ac17540b2a7a2459c5db1cebee5c36fd77157dd352fabf82',
      'uws_darwin_x64_115.node': 'f661b97951ffdf54324e514becda0a2740f723c9fd3c7098e812a0e7714651ed',
      'uws_darwin_x64_127.node': 'fd551673f3ce1f104d7cec3ba8f628d9d04853eff1045c9d95983372ed90bca0',
      'uws_darwin_x64_137.node': '98fd7e9456e2d37d3262b05b053d673830927f91c63c0c2ae73bde8d19eef293',
      'uws_darwin_x64_141.node': 'e64e8a42347b5f9861b0f2bfa0981d8e48914e9b26ec73e133ba454d9a580777',
      'uws_linux_arm64_115.node': '6bdbc8ff976b4371af1906175e9025804bacc38a414969f4f02314e6b99f206c',
      'uws_linux_arm64_127.node': '82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895',
      'uws_linux_arm64_137.node': '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
      'uws_linux_arm64_141.node': '81d0186dd1549ed6a7f47e68e323573fc27d69d2920527654ce2dd993af2b0ec',
      'uws_linux_x64_115.node': '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91',
      'uws_linux_x64_127.node': '4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac',
      'uws_linux_x64_137.node': '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
      'uws_linux_x64_141.node': '813d788b347c6fd76b779d8932311ec05a044e612b4b83af220f16e6ea789683',
      'uws_win32_x64_115.node': '1ffbe9b09607fd9c90e98661383de2bd844b06d4f25ab502f3361d8d8fac559f',
      'uws_win32_x64_127.node': 'b4fa85dd015d6d32655f75e9d5b2480124b7649d9265a2b84d8dafe37f88f838',
      'uws_win32_x64_137.node': '84ae72d2149e6ffa2a44063344073599027b1ce8bffaab3957903f966b0c6bb9',
      'uws_win32_x64_141.node': '59346e454b89d2d0ed1609b7581683bb9fde7edaf3b3f04fe4f6fe03e34c8afd',
    },
  },
];

/** Name of the file that this process would load. */
export function nativeFile(): string {
  return `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
}

/** Where the package stores its binaries; undefined if it is not installed (the second one is optional). */
export function nativeFolder({ name, folder }: NativePackage): URL | undefined {
  try {
    return new URL(folder, import.meta.resolve(name));
  } catch {
    return undefined;
  }
}

/**
 * Throws an Error with a one-line message if a package's file for this process does not have the known hash. A package
 * without one is passed over: that none has one is reported where they are loaded.
 */
export function checkNativeCode(): void {
  for (const native of NATIVE_PACKAGES) {
    const folder = nativeFolder(native);
    if (folder !== undefined) checkBinary(native, folder);
  }
}

/** The same for one package and its folder. */
export function checkBinary({ release, sha256 }: NativePackage, folder: URL, file = nativeFile()): void {
  const expected = sha256[file];
  const advice = 'install anew with npm ci, or let any be loaded with --native-code any';
  if (expected === undefined && !existsSync(new URL(file, folder))) return;
  if (expected === undefined) throw new Error(`uWebSockets: ${file} is none of ${release}; ${advice}`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(new URL(file, folder));
  } catch (error) {
    throw new Error(`uWebSockets: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); ${advice}`);
  }
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== expected)
    throw new Error(`uWebSockets: ${file} is not that of ${release} (SHA-256 ${found.slice(0, 16)}…); ${advice}`);
}
