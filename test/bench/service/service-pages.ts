import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Figure } from '../report.ts';
import { median } from '../report.ts';

const keyCount = 1_000_000;

interface Sample {
  readonly label: string;
  readonly cpuMsPerPage: number;
}

/**
 * Measures the CPU time of the embedded service for one listing page of a bucket with a million keys. The service runs in a
 * thread whose CPU time is measured alone, without reading the responses.
 */
export async function servicePages(): Promise<readonly Figure[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-service-'));
  const worker = new Worker(new URL('service-pages-worker.ts', import.meta.url), {
    workerData: { dir, keyCount },
  });
  try {
    const { port, startMs } = await message<{ port: number; startMs: number }>(worker);
    const samples: Sample[] = [];
    const shapes = [
      { label: 'keys, V2', query: 'list-type=2&encoding-type=url', pages: 200 },
      { label: 'keys, V1', query: 'encoding-type=url', pages: 200 },
      {
        label: '1000 folders of 1000 keys',
        query: 'list-type=2&encoding-type=url&delimiter=/&prefix=data/',
        pages: 1,
      },
      { label: 'folders and keys mixed', query: 'list-type=2&encoding-type=url&delimiter=7', pages: 50 },
    ];
    for (const { label, query, pages } of shapes) {
      const rounds: number[] = [];
      for (let round = 0; round < 5; round++) rounds.push(await walk(worker, port, query, pages));
      samples.push({ label, cpuMsPerPage: median(rounds) });
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage('close');
    const limit = { kind: 'at-most', value: 4 } as const;
    return [
      ...samples.map(({ label, cpuMsPerPage }) => ({
        name: `service: CPU per page, ${label}`,
        value: cpuMsPerPage,
        unit: 'ms',
        limit,
      })),
      {
        name: 'service: start over a million keys',
        value: startMs,
        unit: 'ms',
        limit: { kind: 'at-most', value: 100 } as const,
      },
    ];
  } finally {
    await worker.terminate();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function walk(worker: Worker, port: number, query: string, pages: number): Promise<number> {
  const before = await cpuMs(worker);
  let next = '';
  let count = 0;
  while (count < pages) {
    const page = await get(port, `/bucket?${query}${next}`);
    count++;
    const token = /<NextContinuationToken>([^<]+)/.exec(page)?.[1];
    const marker = /<NextMarker>([^<]+)/.exec(page)?.[1];
    if (token === undefined && marker === undefined) break;
    next = token === undefined ? `&marker=${marker}` : `&continuation-token=${token}`;
  }
  return ((await cpuMs(worker)) - before) / count;
}

async function cpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1000;
}

const agent = new http.Agent({ keepAlive: true });

function get(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: target, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      })
      .on('error', reject);
  });
}

function message<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
