// An operator with an account and a user, as made by nsc: JWTs signed by nkeys, and the server's configuration for
// them. https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

export interface MadeCredentials {
  /** For a server that stores the accounts in its own configuration. */
  serverConfig: string;
  /** The user's file. */
  credentials: string;
}

const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const ACCOUNT = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const JETSTREAM = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
const ISSUED_S = 1_790_000_000;

export function makeCredentials(): MadeCredentials {
  const [operator, system, account] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const user = nkeys.createUser();
  const accountJwt = jwt(operator, account, { type: 'account', limits: { ...ACCOUNT, ...JETSTREAM } });
  const systemJwt = jwt(operator, system, { type: 'account', limits: ACCOUNT });
  const userJwt = jwt(account, user, { type: 'user', ...UNLIMITED });
  return {
    serverConfig: [
      `operator: ${jwt(operator, operator, { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${account.getPublicKey()}: ${accountJwt}\n${system.getPublicKey()}: ${systemJwt} }\n`,
    ].join('\n'),
    credentials: `${part('NATS USER JWT', userJwt)}\n${part('USER NKEY SEED', Buffer.from(user.getSeed()).toString())}`,
  };
}

function jwt(by: KeyPair, subject: KeyPair, nats: object): string {
  const head = encoded({ typ: 'JWT', alg: 'ed25519-nkey' });
  const sub = subject.getPublicKey();
  const claims = { jti: sub, iat: ISSUED_S, iss: by.getPublicKey(), name: sub, sub, nats: { ...nats, version: 2 } };
  const signed = `${head}.${encoded(claims)}`;
  return `${signed}.${Buffer.from(by.sign(Buffer.from(signed))).toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function part(name: string, text: string): string {
  return `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
}
