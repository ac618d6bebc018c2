import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadPages } from '../../../electron/core/multipart/list-uploads.ts';
import { clientFor, errorOf } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  xmlResponse,
  type ScriptedResponse,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

interface Upload {
  readonly key: string;
  readonly id: string;
}

/** The ways in which services split a list of uploads into pages. */
type Paging =
  | 'both-markers'
  | 'refuses-id-marker'
  | 'fails-at-id-marker'
  | 'ignores-id-marker'
  | 'names-no-id-marker'
  | 'repeats-key';

const pageLength = 3;

function pageOf(uploads: readonly Upload[], paging: Paging, path: string): ScriptedResponse {
  const query = new URL(path, 'http://service').searchParams;
  const [keyMarker, idMarker] = [query.get('key-marker') ?? '', query.get('upload-id-marker')];
  if (idMarker !== null && paging === 'refuses-id-marker') return errorResponse(400, 'InvalidArgument');
  if (idMarker !== null && paging === 'fails-at-id-marker') return errorResponse(500, 'InternalError');
  const honours = paging === 'both-markers' && idMarker !== null;
  const rest = uploads
    .filter(({ key }) => key.startsWith(query.get('prefix') ?? ''))
    .filter(({ key, id }) =>
      paging === 'repeats-key' && keyMarker !== ''
        ? key >= keyMarker
        : key > keyMarker || (honours && key === keyMarker && id > idMarker),
    );
  const page = rest.slice(0, pageLength);
  const last = page.at(-1);
  const more =
    rest.length > page.length && last !== undefined
      ? `<NextKeyMarker>${last.key}</NextKeyMarker>${paging === 'names-no-id-marker' ? '' : `<NextUploadIdMarker>${last.id}</NextUploadIdMarker>`}`
      : '';
  const entries = page
    .map(({ key, id }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
    .join('');
  return xmlResponse(
    `<ListMultipartUploadsResult><IsTruncated>${more !== ''}</IsTruncated>${entries}${more}</ListMultipartUploadsResult>`,
  );
}

const of = (key: string, ids: string): Upload[] => Array.from(ids, (id) => ({ key, id }));
const name = ({ key, id }: Upload): string => `${key} ${id}`;

async function read(uploads: readonly Upload[], paging: Paging): Promise<string[]> {
  server.answer(({ path }) => pageOf(uploads, paging, path));
  const found: string[] = [];
  for await (const page of uploadPages(clientFor(server.endpoint).client, 'b', ''))
    found.push(...page.uploads.map(({ key, uploadId }) => name({ key, id: uploadId })));
  return found;
}

describe('uploads of one key over two pages are all listed once', () => {
  const uploads = [...of('a', '12'), ...of('b', '123'), ...of('c', '1'), ...of('d', '12'), ...of('e', '1')];
  test.each<Paging>([
    'both-markers',
    'refuses-id-marker',
    'fails-at-id-marker',
    'ignores-id-marker',
    'names-no-id-marker',
  ])('by a service that %s', async (paging) => {
    expect((await read(uploads, paging)).toSorted()).toEqual(uploads.map(name));
  });
});

test('a service that continues within a key gets no extra request', async () => {
  const before = server.requests.length;
  await read(of('a', '123456'), 'both-markers');
  expect(server.requests.length - before).toBe(2);
});

test.each<Paging>(['ignores-id-marker', 'repeats-key'])(
  'a list of uploads whose rest cannot be read is marked as incomplete (%s)',
  async (paging) => {
    expect(await errorOf(read([...of('a', '12345'), ...of('b', '1')], paging))).toMatchObject({
      reason: 'listing-stuck',
    });
  },
);

test('a service that lists the bucket instead of its uploads does not support them, but is a storage service', async () => {
  server.answer(xmlResponse('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'));
  const { client } = clientFor(server.endpoint);
  expect(await errorOf(client.listMultipartUploads({ bucket: 'b' }))).toMatchObject({ code: 'unsupported' });
});
