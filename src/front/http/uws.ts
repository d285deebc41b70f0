// The only import of uWebSockets.js. It reads its limit for request line and headers from the environment when it is
// loaded, and its own 4 KiB would refuse lists of events in a query: so the limit is set first. It is far above our own
// limit for URLs, since only what uWebSockets accepts can be answered with our error: beyond it, it answers a bare 431
// itself.
import { createRequire } from 'node:module';
import { LIMITS } from '../../base/model/limits.js';

process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.requestHead.max);

export const { App, us_listen_socket_close, us_socket_local_port } = await firstThatLoads();

/** Of the packages that contain binaries, in the order of `server/native-code.ts`. */
async function firstThatLoads(): Promise<typeof import('uWebSockets.js')> {
  try {
    return await import('uWebSockets.js');
  } catch (first) {
    try {
      // Its module that imports another which throws would end Node 20, although this catches it.
      return createRequire(import.meta.url)('@btc-vision/uwebsockets.js') as typeof import('uWebSockets.js');
    } catch {
      throw new Error(missingBinary(first instanceof Error ? first.message : String(first)));
    }
  }
}

/** One line on what to do: the packages have no binary for some versions of Node and systems. */
function missingBinary(reason: string): string {
  const cause = /^Error: (.*)$/m.exec(reason)?.[1] ?? reason.split('\n', 1)[0]!;
  return (
    `uWebSockets.js has no binary that runs on Node ${process.version} (${process.platform} ${process.arch}): run it with ` +
    'Node 22 on Linux with glibc, macOS or Windows, or install the official build for your Node ' +
    `(npm i uNetworking/uWebSockets.js#v20.52.0) [${cause}]`
  );
}
