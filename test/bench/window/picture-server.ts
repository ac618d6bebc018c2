import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A folder of images that exists only as listing pages and one JPEG with a thumbnail at its beginning. */
export interface PictureFolder {
  readonly bucket: string;
  readonly prefix: string;
  readonly count: number;
  /** A JPEG. Each image is this JPEG, padded with zeros. */
  readonly picture: Uint8Array;
  readonly imageBytes: number;
}

export interface PictureServer {
  readonly endpoint: string;
  /** Returns the requests for images so far, and the maximum number in flight at once. */
  readonly asked: () => { readonly requests: number; readonly bytes: number; readonly maxAtOnce: number };
  readonly close: () => Promise<void>;
}

const pageSize = 1000;

/** Serves ListObjectsV2, HEAD and ranges of images on 127.0.0.1, each response after latencyMs. Signatures are not checked. */
export async function startPictureServer(folder: PictureFolder, latencyMs: number): Promise<PictureServer> {
  const asked = { requests: 0, bytes: 0, maxAtOnce: 0 };
  let open = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bench');
    if (!url.pathname.endsWith('.jpg')) {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/xml' });
        response.end(listing(folder, url.searchParams));
      }, latencyMs);
      return;
    }
    const { first, last } = rangeOf(request.headers.range, folder.imageBytes);
    const etag = etagOf(Number(/(\d+)\.jpg$/.exec(url.pathname)?.[1]));
    const isHead = request.method === 'HEAD';
    asked.requests += isHead ? 0 : 1;
    open += isHead ? 0 : 1;
    asked.maxAtOnce = Math.max(asked.maxAtOnce, open);
    response.once('close', () => {
      open -= isHead ? 0 : 1;
    });
    setTimeout(() => {
      response.writeHead(request.headers.range === undefined ? 200 : 206, {
        'content-type': 'image/jpeg',
        'content-length': String(last - first + 1),
        'content-range': `bytes ${String(first)}-${String(last)}/${String(folder.imageBytes)}`,
        'last-modified': 'Wed, 11 Mar 2026 08:30:00 GMT',
        etag,
      });
      if (isHead) response.end();
      else {
        asked.bytes += last - first + 1;
        response.end(bytesOf(folder, first, last));
      }
    }, latencyMs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked: () => ({ ...asked }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function rangeOf(header: string | undefined, sizeBytes: number): { first: number; last: number } {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  return { first: Number(first), last: Math.min(sizeBytes - 1, last === '' ? sizeBytes - 1 : Number(last)) };
}

function bytesOf({ picture }: PictureFolder, first: number, last: number): Buffer {
  const bytes = Buffer.alloc(last - first + 1);
  bytes.set(picture.subarray(first, last + 1));
  return bytes;
}

function etagOf(index: number): string {
  return `"${index.toString(16).padStart(32, '0')}"`;
}

function listing(folder: PictureFolder, query: URLSearchParams): string {
  const { bucket, prefix, count, imageBytes } = folder;
  if (query.get('list-type') !== '2')
    return `<ListAllMyBucketsResult><Owner><ID>bench</ID></Owner><Buckets><Bucket><Name>${bucket}</Name><CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket></Buckets></ListAllMyBucketsResult>`;
  const first = Number(query.get('continuation-token') ?? '0');
  const isRoot = (query.get('prefix') ?? '') === '';
  const last = isRoot ? 0 : Math.min(count, first + pageSize);
  let rows = isRoot ? `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>` : '';
  for (let index = first; index < last; index += 1)
    rows +=
      `<Contents><Key>${prefix}${String(index).padStart(6, '0')}.jpg</Key><LastModified>2026-03-11T08:30:00.000Z</LastModified>` +
      `<ETag>${etagOf(index).replaceAll('"', '&quot;')}</ETag><Size>${String(imageBytes)}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  const hasMore = !isRoot && last < count;
  return (
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${query.get('prefix') ?? ''}</Prefix>` +
    `<Delimiter>/</Delimiter><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType><KeyCount>${String(last - first)}</KeyCount>` +
    `<IsTruncated>${String(hasMore)}</IsTruncated>${rows}${hasMore ? `<NextContinuationToken>${String(last)}</NextContinuationToken>` : ''}</ListBucketResult>`
  );
}
