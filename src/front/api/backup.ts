// GET /backup: a whole copy of the server's data directory as a tar archive, for `overround backup --url`. It has the keys'
// hashes and the alerts' secrets, so only a key with a scope of its own is given it, which only the command `keys` and keys
// that have it grant.

import { ApiError } from '../../base/model/errors.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { sendPieces } from '../http/streamed-body.js';
import type { RouteDeps } from './deps.js';

const HEAD = Buffer.from('application/x-tar\r\nCache-Control: no-store');

export function backupRoutes({ backup }: RouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/backup',
      auth: 'required',
      scope: 'backup',
      noHead: true,
      // An operator's; `overround backup` is its client (docs/guides/backup-and-upgrade.md).
      hidden: true,
      handler: async (context: RequestContext) => {
        if (backup === undefined) throw new ApiError('not_found', 'this server has no data directory of its own');
        const copy = await backup();
        try {
          context.setHeader('X-Backup-Position', String(copy.position));
          const pieces = copy.tar[Symbol.asyncIterator]();
          await sendPieces(context.stream('body'), HEAD, async () => {
            const { done, value } = await pieces.next();
            return done ? undefined : value;
          });
        } finally {
          await copy.close();
        }
      },
    }),
  ];
}
