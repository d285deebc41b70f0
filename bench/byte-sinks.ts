// A program: opens so many connections, sends each the same request and counts what arrives, decoding nothing. A line
// on standard input is answered with the bytes so far; the first line of output says that all have been answered.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port, connections, file] = process.argv.slice(2) as [string, string, string];
const request = readFileSync(file);
let answered = 0;
let bytes = 0;
for (let i = 0; i < Number(connections); i++) {
  let first = true;
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
  socket.on('data', (data) => {
    bytes += data.length;
    if (first && ++answered === Number(connections)) process.stdout.write('open\n');
    first = false;
  });
}
createInterface({ input: process.stdin }).on('line', () => process.stdout.write(`${bytes}\n`));
