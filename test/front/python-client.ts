// Clients with Python's standard library, in a process of their own: they share no code with ours, and block while they
// read.
import { spawn, spawnSync } from 'node:child_process';

export const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

const COMMON = `
import base64, http.client, json, os, socket, struct, sys
port, key = int(sys.argv[1]), sys.argv[2]

def sse(path):
    connection = http.client.HTTPConnection('127.0.0.1', port)
    connection.request('GET', '/api/v1' + path, headers={'X-API-Key': key})
    answer = connection.getresponse()
    event = data = None
    for line in answer:
        name, _, value = line.decode().rstrip('\\n').partition(': ')
        if name == 'event': event = value
        elif name == 'data': data = value
        elif line == b'\\n' and event is not None:
            yield event, data
            event = None

def exactly(stream, size):
    data = stream.read(size)
    if len(data) < size: raise EOFError
    return data

def ws(query, protocol):
    sock = socket.create_connection(('127.0.0.1', port))
    stream = sock.makefile('rb')
    nonce = base64.b64encode(os.urandom(16)).decode()
    sock.sendall(('GET /ws?api_key=%s&%s HTTP/1.1\\r\\nHost: x\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n'
        'Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: %s\\r\\nSec-WebSocket-Protocol: %s\\r\\n\\r\\n'
        % (key, query, nonce, protocol)).encode())
    while stream.readline() != b'\\r\\n': pass
    while True:
        first, length = exactly(stream, 2)
        if length == 126: length = struct.unpack('>H', exactly(stream, 2))[0]
        elif length == 127: length = struct.unpack('>Q', exactly(stream, 8))[0]
        payload = exactly(stream, length)
        opcode = first & 15
        if opcode in (1, 2): yield payload
        elif opcode == 8: raise EOFError('closed %d' % struct.unpack('>H', payload[:2]))
        elif opcode == 9: sock.sendall(bytes([0x8a, 0x80 | length, 0, 0, 0, 0]) + payload)
`;

/** Runs a script with `sse(path)` and `ws(query, protocol)` in it; resolves to the JSON it prints last. */
export function python(port: number, key: string, script: string): Promise<unknown> {
  const child = spawn('python3', ['-c', COMMON + script, String(port), key], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', error: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    said.out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    said.error += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(said.out.trim().split('\n').at(-1)!));
      else reject(new Error(said.error));
    });
  });
}
