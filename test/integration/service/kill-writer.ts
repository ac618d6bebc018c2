import { createHash } from 'node:crypto';
import { startService } from '../../support/lab-service/server.ts';

/**
 * Writes objects until the process is killed: small and large ones, overwritten, copied, deleted, and completed from parts. The
 * first line of each body states its size and letter, so that a mixed or truncated body is noticed.
 */
const dataDir = process.argv[2] ?? '';
const service = await startService({
  dataDir,
  credentials: [],
  region: 'us-east-1',
  minPartBytes: 1,
  publicBuckets: ['bucket'],
});
const bucketId =
  service.store.buckets.get('bucket')?.id ?? service.store.buckets.create('bucket', 0)?.id ?? 0;

function bodyOf(size: number, letter: string): Buffer {
  const head = `${size} ${letter}\n`;
  return Buffer.from(head + letter.repeat(Math.max(0, size - head.length)));
}

process.stdout.write('writing\n');
for (let round = 0; ; round++) {
  const letter = String.fromCharCode(97 + (round % 26));
  const key = `object-${round % 7}`;
  const size = [30, 10_000, 40_000, 900_000][round % 4] ?? 30;
  await service.store.putBytes(bucketId, key, bodyOf(size, letter), { modifiedMs: Date.now() });
  if (round % 3 === 0) await completed(`completed-${round % 5}`, letter);
  if (round % 5 === 0) service.store.deleteObject(bucketId, `object-${(round + 3) % 7}`);
}

async function completed(key: string, letter: string): Promise<void> {
  const whole = bodyOf(120_000, letter);
  const parts = [whole.subarray(0, 50_000), whole.subarray(50_000, 100_000), whole.subarray(100_000)];
  const id = service.store.createUpload(bucketId, key, {
    initiatedMs: Date.now(),
    storageClass: 'STANDARD',
    attributes: { headers: {}, metadata: {} },
    checksumAlgorithm: null,
    checksumType: null,
  });
  for (const [index, part] of parts.entries()) {
    await service.store.putPartBytes(id, index + 1, part, Date.now());
  }
  const upload = service.store.uploads.get(id);
  if (upload === null) throw new Error('The upload has gone.');
  const etag = `${createHash('md5').update(whole).digest('hex')}-3`;
  service.store.completeUpload(
    upload,
    service.store.uploads.parts(id, 0, 10),
    {
      sizeBytes: whole.byteLength,
      etag,
      modifiedMs: Date.now(),
      storageClass: 'STANDARD',
      attributes: { headers: {}, metadata: {} },
    },
    () => undefined,
  );
}
