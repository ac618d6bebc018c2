import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptFlags } from '../../build/scripts/script-flags.ts';
import type { ObjectHead } from '../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../electron/core/s3/model/s3-client.ts';
import { nodeClock } from '../../electron/host/node-ports.ts';
import { toAppError, type AppError } from '../../shared/errors.ts';
import { isCephInstalled, startCeph, type Ceph } from '../support/servers/ceph.ts';
import { realClient } from '../support/servers/real-client.ts';

/**
 * `node test/torture/large-move.ts [--gib 6]`: moves one large object between two buckets of a Ceph RGW that it starts, and kills
 * the program with SIGKILL twice during the move. Fails if the source is gone before its copy is complete.
 */
export interface ChildInput {
  readonly folder: string;
  readonly ceph: Pick<Ceph, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>;
  readonly from: string;
  readonly to: string;
  readonly key: string;
  readonly jobId: string | null;
}

export interface ChildNews {
  readonly jobId: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly error: AppError | null;
  readonly bytesDone: number;
  readonly isOver: boolean;
  readonly requests: Readonly<Record<string, number>>;
  readonly peakKiB: number;
}

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const partBytes = 64 * MiB;
const from = 'large-from';
const to = 'large-to';
const key = 'films/large object.mov';
/** The fractions of the object at which the first and the second process are killed. */
const killsAt = [0.25, 0.6];

const { values } = scriptFlags(
  { usage: 'Usage: npm run torture:large [-- --gib 6]' },
  { gib: { type: 'string', default: '6' } },
);
const sizeBytes = Math.round(Number(values.gib) * GiB);
const storeGib = Math.ceil(Number(values.gib) * 2 + 4);

if (!isCephInstalled()) throw new Error('Ceph RGW is not installed: test/support/ceph-rgw install');
const free = statfsSync(os.tmpdir());
const freeGib = (free.bavail * free.bsize) / GiB;
if (freeGib < storeGib + 2)
  throw new Error(`${storeGib + 2} GiB are needed; ${freeGib.toFixed(1)} are free below ${os.tmpdir()}.`);

const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-large-'));
const ceph = await startCeph({ RGW_OBJECTSTORE: 'bluestore', RGW_STORE_GIB: String(storeGib) });
try {
  await run(clientOf(ceph));
} finally {
  ceph.stop();
  rmSync(folder, { recursive: true, force: true });
}

function clientOf(service: Ceph): S3Client {
  return realClient({ endpoint: service.endpoint, region: service.region, keys: service });
}

async function run(client: S3Client): Promise<void> {
  for (const bucket of [from, to]) await client.createBucket({ bucket });
  const begun = performance.now();
  const sha256 = await fill(client);
  const source = await headOf(client, from);
  say(`${sizeBytes} bytes in ${from} after ${secondsSince(begun)} s, ETag ${source?.etag ?? '?'}.`);
  const wrong: string[] = [];
  const moved = performance.now();
  let jobId: string | null = null;
  for (const [life, part] of [...killsAt, 1].entries()) {
    const isLast = life === killsAt.length;
    const lived = performance.now();
    const news = await live(client, jobId, isLast ? null : part * sizeBytes, source, wrong);
    ({ jobId } = news);
    const how = isLast ? `ended ${news.state} ${news.outcome ?? news.reason ?? ''}` : 'was killed';
    say(
      `KillableRun ${life + 1} ${how} after ${secondsSince(lived)} s at ${news.bytesDone} bytes; ${JSON.stringify(news.requests)}; peak ${Math.round(news.peakKiB / 1024)} MiB.`,
    );
    if (news.error !== null) say(`  ${JSON.stringify(news.error)}`);
    if (!isLast) {
      const standing = await headOf(client, from);
      if (standing?.etag !== source?.etag || standing?.sizeBytes !== sizeBytes)
        wrong.push(`After kill ${life + 1} the source is not what it was.`);
      if ((await headOf(client, to)) !== null)
        wrong.push('A kill in the middle left an object at the target.');
      const { uploads } = await client.listMultipartUploads({ bucket: to });
      say(`  The source is there, the target is not; ${uploads.length} unfinished upload.`);
    } else if (news.outcome !== 'moved') wrong.push(`It ended ${news.state}, not moved.`);
  }
  say(`Moved in ${secondsSince(moved)} s with both kills.`);
  if ((await headOf(client, from)) !== null) wrong.push('The source still stands after the move.');
  const copied = await digest(client);
  if (copied !== sha256) wrong.push('The bytes of the copy are not those of the source.');
  else say(`SHA-256 of all ${sizeBytes} bytes at the target is that of the source.`);
  const { uploads } = await client.listMultipartUploads({ bucket: to });
  if (uploads.length > 0) wrong.push(`${uploads.length} unfinished uploads are left.`);
  await client.close();
  for (const line of wrong) say(`WRONG: ${line}`);
  say(wrong.length === 0 ? 'All held.' : 'It did not hold.');
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

/** Runs the program once. Kills it after `killAt` bytes, or with null lets it finish the job. */
async function live(
  client: S3Client,
  jobId: string | null,
  killAt: number | null,
  source: ObjectHead | null,
  wrong: string[],
): Promise<ChildNews> {
  const program = fileURLToPath(new URL('./large-move-child.ts', import.meta.url));
  const child: ChildProcess = fork(program, [], { execPath: process.execPath, execArgv: [] });
  const exited = once(child, 'exit');
  const { endpoint, region, accessKeyId, secretAccessKey } = ceph;
  const input: ChildInput = {
    folder,
    ceph: { endpoint, region, accessKeyId, secretAccessKey },
    from,
    to,
    key,
    jobId,
  };
  const seen: { last: ChildNews | null; isOver: boolean } = { last: null, isOver: false };
  child.on('message', (news: ChildNews) => {
    seen.last = news;
    if (killAt !== null && news.bytesDone >= killAt) child.kill('SIGKILL');
  });
  child.once('exit', () => {
    seen.isOver = true;
  });
  child.send(input);
  // Checks that at every moment the source or its copy is complete.
  while (!seen.isOver) {
    const standing = await headOf(client, from);
    if (standing === null) {
      const copy = await headOf(client, to);
      if (copy?.sizeBytes !== sizeBytes) wrong.push('The source was gone before its copy stood whole.');
    } else if (standing.etag !== source?.etag) wrong.push('The source has changed.');
    await nodeClock.sleep(200);
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  if (killAt !== null && signal !== 'SIGKILL') wrong.push(`It was over before it was killed: ${code}.`);
  if (killAt === null && code !== 0) wrong.push(`The program ended with ${code ?? signal}.`);
  if (seen.last === null) throw new Error('The program told nothing.');
  return seen.last;
}

async function headOf(client: S3Client, bucket: string): Promise<ObjectHead | null> {
  try {
    return await client.headObject({ bucket, key });
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-found') return null;
    throw thrown;
  }
}

/** Uploads bytes that differ in every block, part by part, and returns their SHA-256. */
async function fill(client: S3Client): Promise<string> {
  const { uploadId } = await client.createMultipartUpload({
    bucket: from,
    key,
    contentType: 'video/quicktime',
  });
  const whole = createHash('sha256');
  const parts: { partNumber: number; etag: string }[] = [];
  const bytes = Buffer.alloc(partBytes, createHash('sha512').update('large').digest());
  for (let offset = 0; offset < sizeBytes; offset += partBytes) {
    const partNumber = offset / partBytes + 1;
    const part = bytes.subarray(0, Math.min(partBytes, sizeBytes - offset));
    for (let block = 0; block < part.byteLength; block += 4096) part.writeDoubleLE(offset + block, block);
    whole.update(part);
    const body = { sizeBytes: part.byteLength, open: () => part };
    const { etag } = await client.uploadPart({ bucket: from, key, uploadId, partNumber, body });
    parts.push({ partNumber, etag });
  }
  await client.completeMultipartUpload({ bucket: from, key, uploadId, parts });
  return whole.digest('hex');
}

async function digest(client: S3Client): Promise<string> {
  const hash = createHash('sha256');
  const { body } = await client.getObject({ bucket: to, key });
  for await (const chunk of body) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}

function say(line: string): void {
  console.log(line);
}
