import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface UploadsServer {
  readonly endpoint: string;
  readonly aborted: () => number;
  close(): Promise<void>;
}

const pageSize = 1000;
const partBytes = 5 * 1024 * 1024;

/**
 * Starts a service whose buckets contain only unfinished uploads, each as many as `buckets[name]`. Every response takes
 * `latencyMs`.
 */
export async function startUploadsServer(
  buckets: Readonly<Record<string, number>>,
  latencyMs: number,
): Promise<UploadsServer> {
  const aborted = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => answer(request, response, buckets, aborted), latencyMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    aborted: () => aborted.size,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const keyOf = (at: number): string => `logs/${String(at).padStart(7, '0')}.gz`;

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  buckets: Readonly<Record<string, number>>,
  aborted: Set<string>,
): void {
  const url = new URL(request.url ?? '/', 'http://bench');
  const [, bucket = '', ...rest] = url.pathname.split('/');
  const uploadId = url.searchParams.get('uploadId');
  if (bucket === '') {
    const all = Object.keys(buckets)
      .map(
        (name) =>
          `<Bucket><Name>${name}</Name><CreationDate>2026-01-01T00:00:00.000Z</CreationDate></Bucket>`,
      )
      .join('');
    send(response, 200, 'ListAllMyBucketsResult', `<Buckets>${all}</Buckets>`);
    return;
  }
  if (uploadId !== null) {
    const key = decodeURIComponent(rest.join('/'));
    if (aborted.has(uploadId))
      send(response, 404, 'Error', '<Code>NoSuchUpload</Code><Message>gone</Message>');
    else if (request.method === 'DELETE') {
      aborted.add(uploadId);
      response.writeHead(204).end();
    } else send(response, 200, 'ListPartsResult', partsOf(bucket, key, uploadId));
    return;
  }
  if (url.searchParams.has('uploads')) {
    send(response, 200, 'ListMultipartUploadsResult', uploadsOf(bucket, buckets[bucket] ?? 0, url, aborted));
    return;
  }
  if (url.searchParams.has('location')) send(response, 200, 'LocationConstraint', '');
  else
    send(
      response,
      200,
      'ListBucketResult',
      `<Name>${bucket}</Name><Prefix/><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>`,
    );
}

function uploadsOf(bucket: string, count: number, url: URL, aborted: ReadonlySet<string>): string {
  const marker = url.searchParams.get('upload-id-marker') ?? '';
  // The upload id contains the index: a page starts after the upload that its marker names.
  let at = marker === '' ? 0 : Number(marker.split('-').at(-1)) + 1;
  const page: string[] = [];
  let last = at;
  for (; at < count && page.length < pageSize; at += 1) {
    const id = `${bucket}-${at}`;
    if (aborted.has(id)) continue;
    last = at;
    const days = (at % 500) + 1;
    const begun = new Date(Date.now() - days * 86_400_000).toISOString();
    const by = `client-${at % 7}`;
    page.push(
      `<Upload><Key>${keyOf(at)}</Key><UploadId>${id}</UploadId><Initiator><ID>${by}</ID><DisplayName>${by}</DisplayName></Initiator>` +
        `<StorageClass>STANDARD</StorageClass><Initiated>${begun}</Initiated></Upload>`,
    );
  }
  const more = at < count;
  const next = more
    ? `<NextKeyMarker>${keyOf(last)}</NextKeyMarker><NextUploadIdMarker>${bucket}-${last}</NextUploadIdMarker>`
    : '';
  return `<Bucket>${bucket}</Bucket><KeyMarker/><UploadIdMarker/>${next}<MaxUploads>1000</MaxUploads><IsTruncated>${more}</IsTruncated>${page.join('')}`;
}

function partsOf(bucket: string, key: string, uploadId: string): string {
  return (
    `<Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${uploadId}</UploadId><IsTruncated>false</IsTruncated>` +
    `<Part><PartNumber>1</PartNumber><LastModified>2026-01-02T00:00:00.000Z</LastModified><ETag>"0123456789abcdef0123456789abcdef"</ETag><Size>${partBytes}</Size></Part>`
  );
}

function send(response: ServerResponse, status: number, root: string, body: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><${root}${root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'}>${body}</${root}>`,
  );
}
