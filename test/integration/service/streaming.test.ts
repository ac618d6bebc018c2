import { createHash } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { prepare } from '../../unit/service/harness.ts';
import { endsWithTest } from '../../support/test-child.ts';

const mebi = 1024 * 1024;
const sizeBytes = 256 * mebi;
const server = fileURLToPath(new URL('serve.ts', import.meta.url));

/** Generates bytes and hashes them. Each MiB is filled with its index. */
function* source(hash: ReturnType<typeof createHash>): Generator<Buffer, void, void> {
  for (let at = 0; at < sizeBytes; at += mebi) {
    const bytes = Buffer.alloc(mebi, (at / mebi) % 251);
    hash.update(bytes);
    yield bytes;
  }
}

/** Returns the resident memory of a process in bytes (Linux). */
function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

test.skipIf(process.platform !== 'linux')(
  'the sample service streams 256 MB in and out in less than 100 MB of memory, also to a slow reader',
  async () => {
    const child = endsWithTest(
      spawn(process.execPath, [server, tempDir()], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const service = { port: Number(line.toString()) };
      const pid = child.pid ?? 0;
      const before = residentBytes(pid);
      let highest = before;
      const watch = setInterval(() => {
        highest = Math.max(highest, residentBytes(pid));
      }, 10);
      const sent = createHash('sha256');
      const target = '/bucket/big';
      const request = await prepare(service, {
        method: 'PUT',
        path: target,
        payloadHash: 'UNSIGNED-PAYLOAD',
        headers: { 'content-length': String(sizeBytes) },
      });
      const put = http.request({
        host: '127.0.0.1',
        port: service.port,
        method: 'PUT',
        path: target,
        headers: request.headers,
      });
      const answered = once(put, 'response') as Promise<[http.IncomingMessage]>;
      await pipeline(Readable.from(source(sent)), put);
      const [reply] = await answered;
      reply.resume();
      expect(reply.statusCode).toBe(200);

      const received = createHash('sha256');
      const get = await prepare(service, { path: target });
      const outgoing = http.get({
        host: '127.0.0.1',
        port: service.port,
        path: target,
        headers: get.headers,
      });
      const [body] = (await once(outgoing, 'response')) as [http.IncomingMessage];
      let got = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received.update(chunk);
        got += chunk.byteLength;
        // Pauses reading, to check that unread data does not pile up in the service.
        if (got % (64 * mebi) < chunk.byteLength) await new Promise((resolve) => setTimeout(resolve, 50));
      }
      clearInterval(watch);
      expect(got).toBe(sizeBytes);
      expect(received.digest('hex')).toBe(sent.digest('hex'));
      expect(highest - before).toBeLessThan(100 * mebi);
    } finally {
      child.stdin.end();
      await once(child, 'exit');
    }
  },
);
