import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bucket that exists only as pre-rendered listing pages: what a listing costs is then the client's alone. */
export interface SyntheticFolder {
  readonly bucket: string;
  readonly prefix: string;
  readonly folderCount: number;
  readonly objectCount: number;
}

export interface ListingServer {
  readonly endpoint: string;
  readonly requestCount: () => number;
  /** When each page of the folder was asked for, by performance.now(): index 0 is the first page. */
  readonly pageAskedAtMs: () => readonly number[];
  readonly close: () => Promise<void>;
}

const pageSize = 1000;

/** Serves ListObjectsV2 of one folder on 127.0.0.1, each answer after latencyMs. Signatures are not checked. */
export async function startListingServer(folder: SyntheticFolder, latencyMs: number): Promise<ListingServer> {
  const pages = renderPages(folder);
  const askedAtMs: number[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
    const body = answer(folder, pages, query, askedAtMs);
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/xml', 'x-amz-request-id': String(requests) });
      response.end(request.method === 'HEAD' ? undefined : body);
    }, latencyMs);
  });
  await listen(server);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestCount: () => requests,
    pageAskedAtMs: () => askedAtMs,
    close: () => closeServer(server),
  };
}

function answer(
  folder: SyntheticFolder,
  pages: readonly Buffer[],
  query: URLSearchParams,
  askedAtMs: number[],
): Buffer {
  if (query.get('list-type') !== '2') return bucketList(folder.bucket);
  if (query.get('prefix') !== folder.prefix) return rootPage(folder);
  const index = Number(query.get('continuation-token') ?? '0');
  askedAtMs[index] ??= performance.now();
  return pages[index] ?? Buffer.from('<Error><Code>InvalidArgument</Code></Error>');
}

function renderPages(folder: SyntheticFolder): readonly Buffer[] {
  const total = folder.folderCount + folder.objectCount;
  const count = Math.ceil(total / pageSize);
  return Array.from({ length: count }, (_, page) => {
    const first = page * pageSize;
    const last = Math.min(total, first + pageSize);
    let rows = '';
    for (let index = first; index < last; index += 1) rows += entry(folder, index);
    const next = page + 1 < count ? `<NextContinuationToken>${String(page + 1)}</NextContinuationToken>` : '';
    return listing(folder, folder.prefix, page + 1 < count, last - first, rows + next);
  });
}

function entry(folder: SyntheticFolder, index: number): string {
  if (index < folder.folderCount) {
    return `<CommonPrefixes><Prefix>${folder.prefix}folder-${pad(index)}/</Prefix></CommonPrefixes>`;
  }
  const name = `object-${pad(index - folder.folderCount)}.json`;
  return (
    `<Contents><Key>${folder.prefix}${name}</Key><LastModified>2026-0${String(1 + (index % 9))}-11T08:30:00.000Z</LastModified>` +
    `<ETag>&quot;${index.toString(16).padStart(32, '0')}&quot;</ETag><Size>${String(index * 37)}</Size>` +
    `<StorageClass>STANDARD</StorageClass></Contents>`
  );
}

function rootPage(folder: SyntheticFolder): Buffer {
  return listing(folder, '', false, 1, `<CommonPrefixes><Prefix>${folder.prefix}</Prefix></CommonPrefixes>`);
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
