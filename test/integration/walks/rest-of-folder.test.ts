import { expect, test } from 'vitest';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import type { Quirks } from '../../../electron/service/quirks.ts';
import type { FolderRest } from '../../../shared/models/objects.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';
import { columnsOfBytes } from '../../../shared/packed/column-bytes.ts';
import { unpackKeys } from '../../../shared/packed/packed-keys.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';

const objects = Array.from({ length: 2500 }, (_, index) => `f/img${String(index).padStart(5, '0')}.jpg`);
const inFolders = Array.from({ length: 1200 }, (_, index) => [
  `f/dir ${index}/a`,
  `f/dir ${index}/b/c`,
]).flat();
const odd = ['f/ü/x', 'f/%2F', 'f/a+b', 'f/😀', 'f/z\u0001', 'f/~/deep/er'];
const keys = [...objects, ...inFolders, ...odd, 'g/elsewhere'];

/** Lists the folder page by page; the remaining keys have to equal that result. */
async function folder(quirks: Partial<Quirks> = {}) {
  const service = await serviceUnderTest({ quirks });
  const bucket = service.store.buckets.create('wide', 0);
  const small = keys.map((key) => [key, smallObject(Buffer.from('x'), { modifiedMs: 0 })] as const);
  service.store.putObjects(bucket?.id ?? 0, small);
  const { client } = coreUnderTest();
  const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
  const place = { connectionId, bucket: 'wide', prefix: 'f/' };
  const pages: string[][] = [];
  const tokens: string[] = [];
  for (let pageToken: string | null = null; ;) {
    const page = await client.objects.list({ ...place, delimiter: '/', pageToken });
    pages.push([...page.objects.map(({ key }) => key), ...page.commonPrefixes].toSorted(compareKeys));
    pageToken = page.nextPageToken;
    if (pageToken === null) break;
    tokens.push(pageToken);
  }
  return { client, place, pages, tokens };
}

function keysOf(rows: string): readonly string[] {
  return rows === ''
    ? []
    : unpackKeys(columnsOfBytes(Uint8Array.from(Buffer.from(rows, 'base64')).buffer).keys);
}

async function restOf(pieces: AsyncIterable<FolderRest>): Promise<readonly string[] | 'in-turn'> {
  const spans = new Map<string, FolderRest & { kind: 'rows' }>();
  let at: string | null = null;
  for await (const piece of pieces) {
    if (piece.kind === 'in-turn') return 'in-turn';
    if (piece.kind === 'begins') at = piece.after;
    else spans.set(piece.after, piece);
  }
  const joined: string[] = [];
  while (at !== null) {
    const piece = spans.get(at);
    if (piece === undefined) throw new Error(`There is a gap after ${at}.`);
    joined.push(...keysOf(piece.rows));
    at = piece.upTo;
  }
  return joined;
}

test.each<[string, Partial<Quirks>]>([
  ['a service with ListObjectsV2', {}],
  ['a service with V1 only', { listV2: 'not-implemented' }],
])('the rest of a folder equals its remaining pages: %s', async (_name, quirks) => {
  const { client, place, pages, tokens } = await folder(quirks);
  const [pageToken = ''] = tokens;
  const rest = await restOf(await client.objects.rest({ ...place, pageToken }));
  expect(rest).toEqual(pages.slice(1).flat());
});

test('the rest of a folder can start at any page, and each chunk names the next position', async () => {
  const { client, place, pages, tokens } = await folder();
  const pageToken = tokens.at(-1) ?? '';
  expect(await restOf(await client.objects.rest({ ...place, pageToken }))).toEqual(pages.at(-1));
  const [first = ''] = tokens;
  for await (const piece of await client.objects.rest({ ...place, pageToken: first })) {
    if (piece.kind !== 'rows' || piece.nextPageToken === null) continue;
    const page = await client.objects.list({ ...place, delimiter: '/', pageToken: piece.nextPageToken });
    const listed = [...page.objects.map(({ key }) => key), ...page.commonPrefixes].toSorted(compareKeys);
    const all = pages.flat();
    const begin = all.findIndex((key) => compareKeys(key, piece.upTo ?? '') > 0);
    expect(listed).toEqual(all.slice(begin, begin + listed.length));
    break;
  }
});

test('an unknown token for the rest of a folder is rejected and nothing is listed', async () => {
  const { client, place } = await folder();
  const asked = restOf(await client.objects.rest({ ...place, pageToken: 'made up' }));
  await expect(asked).rejects.toMatchObject({ data: { code: 'invalid-argument' } });
});
