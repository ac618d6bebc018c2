import { expect, it } from 'vitest';
import type { ListMultipartUploadsPage } from '../../../../electron/core/s3/model/multipart-types.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { Scans } from '../../../../electron/core/stalled/scan.ts';
import type { UploadFilter, UploadSort } from '../../../../shared/models/stalled.ts';

const nowMs = Date.parse('2026-11-24T12:00:00Z');
const everything: UploadFilter = { text: '', verdicts: null, bucket: null, begunBefore: null };
const byKey: UploadSort = { by: 'key', descending: false };
const signal = new AbortController().signal;

/** A bucket whose uploads come in pages, in the order given. */
function scansOf(
  pages: readonly (readonly string[])[],
  listParts: S3Client['listParts'] = async () =>
    await Promise.reject(new Error('Nobody asks for parts here.')),
): Scans {
  const pageAt = (at: number): ListMultipartUploadsPage => ({
    uploads: (pages[at] ?? []).map((key, index) => ({
      key,
      uploadId: `id-${key}`,
      initiatedAt: new Date(nowMs - (index + 1) * 40 * 86_400_000).toISOString(),
      initiator: { id: 'anna', displayName: key.startsWith('b') ? 'boris' : null },
      owner: null,
      storageClass: null,
      checksumAlgorithm: null,
      checksumType: null,
    })),
    commonPrefixes: [],
    foreign: [],
    unreadable: [],
    next:
      at + 1 < pages.length
        ? {
            keyMarker: String(at + 1),
            uploadIdMarker: '',
            trail: { seen: [], steps: 0 } as never,
            sameKey: [],
          }
        : null,
  });
  const client: Pick<S3Client, 'listMultipartUploads' | 'listParts'> = {
    listMultipartUploads: async ({ keyMarker = '0' }) => await Promise.resolve(pageAt(Number(keyMarker))),
    listParts,
  };
  return new Scans({
    clock: { nowMs: () => nowMs, sleep: async () => await Promise.resolve() } as never,
    random: { id: () => 'scan' } as never,
    clientOf: async () => await Promise.resolve(client as S3Client),
    bucketsOf: async () => await Promise.resolve({ buckets: [], error: null }),
    startOf: () => null,
    minPartBytes: 5,
  });
}

const input = { connectionId: 'c', bucket: 'b', prefix: '' };
async function ended(scans: Scans): Promise<void> {
  let isFinished = false;
  for await (const { finished } of scans.scan(input, signal)) isFinished = finished;
  expect(isFinished).toBe(true);
}

const keysOf = (scans: Scans, sort = byKey, filter = everything): string[] =>
  scans.rows({ scanId: 'scan', offset: 0, limit: 100, sort, filter }).rows.map(({ key }) => key);

it('a scan sorts uploads found later into the list and counts an upload listed twice once', async () => {
  const scans = scansOf([['c', 'a'], ['b1', 'a', 'd'], ['b0']]);
  for await (const { finished } of scans.scan(input, signal)) if (!finished) keysOf(scans);
  expect(keysOf(scans)).toEqual(['a', 'b0', 'b1', 'c', 'd']);
  expect(keysOf(scans, { by: 'key', descending: true })).toEqual(['d', 'c', 'b1', 'b0', 'a']);
  expect(scans.rows({ scanId: 'scan', offset: 0, limit: 1, sort: byKey, filter: everything })).toMatchObject({
    total: 5,
    found: 5,
    unread: 5,
    totals: { storedBytes: 0, unread: 5 },
  });
});

it('a scan filters its uploads by client and age', async () => {
  const scans = scansOf([['a', 'b', 'bb', 'c']]);
  await ended(scans);
  expect(keysOf(scans, byKey, { ...everything, initiator: 'boris' })).toEqual(['b', 'bb']);
  expect(keysOf(scans, byKey, { ...everything, age: 'quarter' })).toEqual(['a', 'b']);
  expect(scans.summary('scan').byInitiator.map(({ name, uploads }) => [name, uploads])).toEqual([
    ['anna', 2],
    ['boris', 2],
  ]);
});

it('a scan returns a selection in chunks and checks which references exist', async () => {
  const scans = scansOf([['a', 'b', 'c']]);
  await ended(scans);
  const piece = scans.select({ scanId: 'scan', filter: everything, offset: 1, limit: 1 });
  expect(piece.refs.map(({ key }) => key)).toEqual(['b']);
  expect(piece).toMatchObject({ total: 3, unread: 3, storedBytes: 0 });
  const [ref] = piece.refs;
  if (ref === undefined) throw new Error('There is none.');
  expect(scans.has('scan', [ref, { ...ref, uploadId: 'another' }])).toEqual([true, false]);
});

it('a scan counts the parts of an upload once, even if they are read twice concurrently', async () => {
  const parts = ['1', '2'].map((etag, at) => ({
    partNumber: at + 1,
    etag,
    sizeBytes: 7,
    lastModified: null,
  }));
  const scans = scansOf(
    [['a', 'b']],
    async () => await Promise.resolve({ parts, nextPartNumberMarker: null } as never),
  );
  await ended(scans);
  const idOf = (key: string): number =>
    scans
      .rows({ scanId: 'scan', offset: 0, limit: 2, sort: byKey, filter: everything })
      .rows.find((row) => row.key === key)?.id ?? -1;
  await Promise.all([
    scans.inspect('scan', [idOf('a')], signal),
    scans.inspect('scan', [idOf('a'), idOf('b')], signal),
  ]);
  expect(scans.rows({ scanId: 'scan', offset: 0, limit: 1, sort: byKey, filter: everything })).toMatchObject({
    unread: 0,
    totals: { storedBytes: 28, unread: 0 },
  });
});
