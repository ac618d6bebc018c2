import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bucket that exists only as pre-rendered listing pages, so that a measured listing is the work of the client alone. */
export interface SyntheticFolder {
  readonly bucket: string;
  /** The folders of the bucket, each with the same number of rows. */
  readonly prefixes: readonly string[];
  readonly folderCount: number;
  readonly objectCount: number;
}

export interface ListingServer {
  readonly endpoint: string;
  readonly requestCount: () => number;
  /** Returns when each page of a folder was requested, by performance.now(); index 0 is the first page. */
  readonly pageAskedAtMs: (prefix: string) => readonly number[];
  readonly close: () => Promise<void>;
}

const pageSize = 1000;

interface ServedFolder {
  readonly pages: readonly Buffer[];
  readonly askedAtMs: number[];
}

/** Serves ListObjectsV2 of the folders on 127.0.0.1, each response after latencyMs. Signatures are not checked. */
export async function startListingServer(folder: SyntheticFolder, latencyMs: number): Promise<ListingServer> {
  const served = new Map<string, ServedFolder>(
    folder.prefixes.map((prefix) => [prefix, { pages: renderPages(folder, prefix), askedAtMs: [] }]),
  );
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
    const body = answer(folder, served, query);
    setTimeout(() => {
      response.writeHead(200, {
        'content-type': 'application/xml',
        'x-amz-request-id': String(requests),
        // Needed by the bare page, which has another origin.
        'access-control-allow-origin': '*',
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    }, latencyMs);
  });
  await listen(server);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestCount: () => requests,
    pageAskedAtMs: (prefix) => served.get(prefix)?.askedAtMs ?? [],
    close: () => closeServer(server),
  };
}

function answer(
  folder: SyntheticFolder,
  served: ReadonlyMap<string, ServedFolder>,
  query: URLSearchParams,
): Buffer {
  if (query.get('list-type') !== '2') return bucketList(folder.bucket);
  const asked = served.get(query.get('prefix') ?? '');
  if (asked === undefined) return rootPage(folder);
  const index = Number(query.get('continuation-token') ?? '0');
  asked.askedAtMs[index] ??= performance.now();
  return asked.pages[index] ?? Buffer.from('<Error><Code>InvalidArgument</Code></Error>');
}

function renderPages(folder: SyntheticFolder, prefix: string): readonly Buffer[] {
  const total = folder.folderCount + folder.objectCount;
  const count = Math.ceil(total / pageSize);
  return Array.from({ length: count }, (_, page) => {
    const first = page * pageSize;
    const last = Math.min(total, first + pageSize);
    let rows = '';
    for (let index = first; index < last; index += 1) rows += entry(folder, prefix, index);
    const next = page + 1 < count ? `<NextContinuationToken>${String(page + 1)}</NextContinuationToken>` : '';
    return listing(folder, prefix, page + 1 < count, last - first, rows + next);
  });
}

/**
 * Returns an entry of a folder. Folders and objects alternate as long as both remain, so that all pages are alike. Names begin
 * with the folder's name, so that a row shows which folder it belongs to.
 */
function entry(folder: SyntheticFolder, prefix: string, index: number): string {
  const pairs = 2 * Math.min(folder.folderCount, folder.objectCount);
  const isFolder = index < pairs ? index % 2 === 1 : folder.folderCount > folder.objectCount;
  const name = `${prefix}${prefix.slice(0, -1)}-${pad(index < pairs ? Math.floor(index / 2) : index - pairs / 2)}`;
  if (isFolder) return `<CommonPrefixes><Prefix>${name}/</Prefix></CommonPrefixes>`;
  return (
    `<Contents><Key>${name}.json</Key><LastModified>2026-0${String(1 + (index % 9))}-11T08:30:00.000Z</LastModified>` +
    `<ETag>&quot;${index.toString(16).padStart(32, '0')}&quot;</ETag><Size>${String(index * 37)}</Size>` +
    `<StorageClass>STANDARD</StorageClass></Contents>`
  );
}

function rootPage(folder: SyntheticFolder): Buffer {
  const rows = folder.prefixes.map((prefix) => `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>`);
  return listing(folder, '', false, rows.length, rows.join(''));
}

function listing(
  folder: SyntheticFolder,
  prefix: string,
  truncated: boolean,
  keyCount: number,
  rows: string,
): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
      `<Name>${folder.bucket}</Name><Prefix>${prefix}</Prefix><Delimiter>/</Delimiter><MaxKeys>1000</MaxKeys>` +
      `<EncodingType>url</EncodingType><KeyCount>${String(keyCount)}</KeyCount><IsTruncated>${String(truncated)}</IsTruncated>` +
      `${rows}</ListBucketResult>`,
  );
}

function bucketList(bucket: string): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListAllMyBucketsResult><Owner><ID>bench</ID></Owner><Buckets><Bucket><Name>${bucket}</Name>` +
      `<CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>`,
  );
}

function pad(index: number): string {
  return String(index).padStart(6, '0');
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
