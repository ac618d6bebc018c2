import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the service misbehaves when the object is downloaded. */
export interface CrookedPlan {
  /** Breaks the connection after this many bytes of a body. */
  readonly cutAfterBytes?: number | ((get: number) => number);
  /** Returns true for the numbers of the GETs that get a 503. */
  readonly isBusy?: (get: number) => boolean;
  /** Sends the body chunked, without Content-Length. */
  readonly isChunked?: boolean;
  /** Sends 200 with the whole object, whatever range is requested. */
  readonly ignoresRanges?: boolean;
  /** The bytes to send in place of the object's bytes. */
  readonly sent?: (bytes: Buffer, get: number) => Buffer;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before each GET. From then on, a result other than null replaces the object. */
  readonly beforeGet?: (get: number) => { readonly bytes: Buffer } | null;
}

export interface CrookedDownload {
  readonly endpoint: string;
  /** The headers of each GET of the object. */
  readonly gets: readonly Readonly<Record<string, string | undefined>>[];
  /** The number of body bytes written to the socket. */
  readonly sentBytes: number;
  close(): Promise<void>;
}

export function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** Starts a service on 127.0.0.1 with a single object, whose GETs misbehave by a plan. Signatures are not checked. */
export async function startCrookedDownload(
  key: string,
  object: Buffer,
  plan: CrookedPlan,
): Promise<CrookedDownload> {
  let bytes = object;
  let sentBytes = 0;
  const gets: Readonly<Record<string, string | undefined>>[] = [];
  const etag = (): string => plan.etag ?? `"${md5Of(bytes)}"`;

  const send = (response: ServerResponse, status: number, body: Buffer): void => {
    response.statusCode = status;
    if (plan.isChunked !== true) response.setHeader('content-length', String(body.byteLength));
    const { cutAfterBytes = Infinity } = plan;
    const cut = typeof cutAfterBytes === 'number' ? cutAfterBytes : cutAfterBytes(gets.length);
    if (body.byteLength <= cut) {
      sentBytes += body.byteLength;
      response.end(body);
      return;
    }
    sentBytes += cut;
    response.write(body.subarray(0, cut), () => response.socket?.destroy());
  };
  const reply = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://crooked');
    if (url.searchParams.has('list-type')) {
      const body = `<ListBucketResult><Name>bucket</Name><Prefix></Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated><Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etag().replaceAll('"', '&quot;')}</ETag><Size>${object.byteLength}</Size><StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>`;
      response.setHeader('content-type', 'application/xml');
      response.end(body);
      return;
    }
    if (request.method === 'GET') {
      gets.push(request.headers as Record<string, string | undefined>);
      bytes = plan.beforeGet?.(gets.length)?.bytes ?? bytes;
    }
    if (request.method === 'GET' && plan.isBusy?.(gets.length) === true) {
      response.statusCode = 503;
      response.end('<Error><Code>SlowDown</Code><Message>m</Message></Error>');
      return;
    }
    const defaultHeaders = {
      etag: etag(),
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      ...plan.headers,
    };
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && wanted !== defaultHeaders.etag) {
      response.statusCode = 412;
      response.end('<Error><Code>PreconditionFailed</Code><Message>m</Message></Error>');
      return;
    }
    for (const [name, value] of Object.entries(defaultHeaders)) response.setHeader(name, value);
    if (request.method === 'HEAD') {
      if (plan.isChunked !== true) response.setHeader('content-length', String(bytes.byteLength));
      response.end();
      return;
    }
    const body = plan.sent?.(bytes, gets.length) ?? bytes;
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range === null || plan.ignoresRanges === true) {
      send(response, 200, body);
      return;
    }
    const [first, last] = [Number(range[1]), Math.min(Number(range[2]), body.byteLength - 1)];
    if (first >= body.byteLength) {
      response.statusCode = 416;
      response.end('<Error><Code>InvalidRange</Code><Message>m</Message></Error>');
      return;
    }
    response.setHeader('content-range', `bytes ${first}-${last}/${body.byteLength}`);
    send(response, 206, body.subarray(first, last + 1));
  };

  const server: Server = createServer(reply);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    gets,
    get sentBytes() {
      return sentBytes;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
