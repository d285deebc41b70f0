// A program: opens so many connections, sends each the same request and counts what arrives, decoding nothing. The first
// line of output says that all have been answered. A line on standard input is answered with the bytes so far, and with
// p50 and p99 of the delays (ms) since the last answer; `sent TIME` (Unix ms) begins a message, from which on each
// connection's first bytes are its delay.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { quantile } from './statistics.js';

const [port, connections, file] = process.argv.slice(2) as [string, string, string];
const request = readFileSync(file);
let answered = 0;
let bytes = 0;
let message = 0;
let sentMs = 0;
let delays: number[] = [];
for (let i = 0; i < Number(connections); i++) {
  let first = true;
  let had = 0;
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
  socket.on('data', (data) => {
    bytes += data.length;
    if (first && ++answered === Number(connections)) process.stdout.write('open\n');
    first = false;
    if (had === message) return;
    had = message;
    delays.push(performance.timeOrigin + performance.now() - sentMs);
  });
}
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.startsWith('sent ')) {
    message++;
    sentMs = Number(line.slice(5));
    return;
  }
  process.stdout.write(`${bytes} ${quantile(delays, 0.5)} ${quantile(delays, 0.99)}\n`);
  delays = [];
});
