import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSparse, type SparseFile } from '../files/sparse-file.ts';

export interface SparseServer {
  readonly endpoint: string;
  /** Returns the number and bytes of the GETs of objects so far. */
  readonly reads: () => { readonly requests: number; readonly bytes: number };
  readonly close: () => Promise<void>;
}

const bucket = 'sparse';
const lastModified = 'Sat, 09 May 2026 06:30:00 GMT';

/** Starts a service with one bucket, `sparse`, whose large files are generated on request. It checks no signatures. */
export async function startSparseServer(files: Readonly<Record<string, SparseFile>>): Promise<SparseServer> {
  const reads = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const key = decodeURIComponent(path.replace(/^\/[^/]*\/?/, ''));
    const file = files[key];
    if (key !== '' && file !== undefined) {
      const bytes = sendObject(request, response, file);
      if (request.method === 'GET') {
        reads.requests += 1;
        reads.bytes += bytes;
      }
      return;
    }
    response.writeHead(key === '' ? 200 : 404, { 'content-type': 'application/xml' });
    const isList = new URLSearchParams(query).get('list-type') === '2';
    response.end(request.method === 'HEAD' ? undefined : isList ? listing(files) : buckets);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    reads: () => ({ ...reads }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function sendObject(request: IncomingMessage, response: ServerResponse, file: SparseFile): number {
  const asked = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const from = Number(asked?.[1] ?? 0);
  const through = asked?.[2] ? Math.min(Number(asked[2]), file.sizeBytes - 1) : file.sizeBytes - 1;
  const length = through - from + 1;
  response.writeHead(asked === null ? 200 : 206, {
    etag: '"00000000000000000000000000000001"',
    'last-modified': lastModified,
    'content-type': 'binary/octet-stream',
    'content-length': String(length),
    'accept-ranges': 'bytes',
    ...(asked === null
      ? {}
      : { 'content-range': `bytes ${String(from)}-${String(through)}/${String(file.sizeBytes)}` }),
  });
  response.end(
    request.method === 'HEAD' ? undefined : readSparse(file, from, Math.min(length, 64 * 1024 * 1024)),
  );
  return length;
}

function listing(files: Readonly<Record<string, SparseFile>>): string {
  const rows = Object.entries(files).map(
    ([key, { sizeBytes }]) =>
      `<Contents><Key>${key}</Key><LastModified>2026-05-09T06:30:00.000Z</LastModified>` +
      `<ETag>&quot;00000000000000000000000000000001&quot;</ETag><Size>${String(sizeBytes)}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name>` +
    `<Prefix></Prefix><Delimiter>/</Delimiter><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>` +
    `<KeyCount>${String(rows.length)}</KeyCount><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`
  );
}

const buckets =
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListAllMyBucketsResult><Owner><ID>test</ID></Owner><Buckets><Bucket><Name>${bucket}</Name>` +
  `<CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>`;
