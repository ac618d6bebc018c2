import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import { crc32 } from 'node:zlib';
import { SignatureV4 } from '@smithy/signature-v4';
import { onTestFinished } from 'vitest';
import { startService, type Service, type ServiceOptions } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';

export const region = 'eu-central-1';
export const keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'TESTSECRETTESTSECRET' };

/** Starts a service with an empty data folder. Closes the service when the test ends. */
export async function serve(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await startService({ dataDir: tempDir(), credentials: [keys], region, ...options });
  onTestFinished(() => service.close());
  return service;
}

export interface Call {
  readonly method?: string;
  /** Percent-encoded, exactly as sent. */
  readonly path: string;
  /** Decoded; `call` encodes it. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly sign?: boolean;
  readonly now?: Date;
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly region?: string;
  /** The value of x-amz-content-sha256. If absent, the hash of the body. */
  readonly payloadHash?: string;
  /** Headers to add after signing. */
  readonly unsignedHeaders?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends one request, signed by the vendor's signer by default. */
export async function call(service: Pick<Service, 'port'>, request: Call): Promise<Reply> {
  const prepared = await prepare(service, request);
  return send(service, prepared.method, prepared.target, prepared.headers, request.body);
}

export async function prepare(
  service: Pick<Service, 'port'>,
  request: Call,
): Promise<{ readonly method: string; readonly target: string; readonly headers: Record<string, string> }> {
  const method = request.method ?? 'GET';
  const query = request.query ?? {};
  const host = request.headers?.['host'] ?? `127.0.0.1:${service.port}`;
  const payloadHash =
    request.payloadHash ??
    createHash('sha256')
      .update(request.body ?? '')
      .digest('hex');
  const unsigned = { ...request.headers, host };
  const headers =
    request.sign === false
      ? unsigned
      : (
          await signer(request).sign(
            {
              method,
              protocol: 'http:',
              hostname: '127.0.0.1',
              path: request.path,
              query: { ...query },
              headers: { ...unsigned, 'x-amz-content-sha256': payloadHash },
            },
            { signingDate: request.now ?? new Date() },
          )
        ).headers;
  return {
    method,
    target: request.path + queryText(query),
    headers: { ...headers, ...request.unsignedHeaders },
  };
}

/** Returns a presigned URL's path and query. */
export async function presign(
  service: Pick<Service, 'port'>,
  request: Call & { readonly expiresInSeconds: number; readonly unsignedHost?: boolean },
): Promise<string> {
  const signed = await signer(request).presign(
    {
      method: request.method ?? 'GET',
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: request.path,
      query: { ...request.query },
      // Signs a URL with the vendor's own presigner for S3.
      headers: { host: `127.0.0.1:${service.port}`, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    },
    {
      expiresIn: request.expiresInSeconds,
      signingDate: request.now ?? new Date(),
      ...(request.unsignedHost === true ? { unsignableHeaders: new Set(['host']) } : {}),
    },
  );
  return signed.path + queryText(signed.query as Record<string, string>);
}

/** Sends a request exactly as given, without signing it. */
export function send(
  service: Pick<Service, 'port'>,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: service.port, method, path: target, headers, agent: false };
    const outgoing = http.request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes,
          text: bytes.toString('utf8'),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Returns a path with the key, percent-encoded except for unreserved characters and slashes. */
export function pathOf(bucket: string, key: string): string {
  const encoded = Buffer.from(key, 'utf8').reduce((path, byte) => {
    const char = String.fromCharCode(byte);
    return (
      path + (/[A-Za-z0-9\-._~/]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    );
  }, '');
  return `/${bucket}/${encoded}`;
}

export async function put(
  service: Service,
  bucket: string,
  key: string,
  body: string | Buffer = key,
): Promise<Reply> {
  const reply = await call(service, { method: 'PUT', path: pathOf(bucket, key), body });
  if (reply.status !== 200) throw new Error(`PUT answered ${reply.status}: ${reply.text}`);
  return reply;
}

/** Creates a bucket with these objects. Each object's body is its key. */
export async function bucketWith(
  service: Service,
  names: readonly string[],
  bucket = 'bucket',
): Promise<void> {
  service.store.buckets.create(bucket, Date.now());
  for (const name of names) await put(service, bucket, name);
}

/** Returns the text of each element of that name, in document order. */
export function all(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) =>
    unescapeXml(match[1] ?? ''),
  );
}

/** Returns the text of the only element with this name, or null if it is missing. */
export function elementText(xml: string, name: string): string | null {
  const found = all(xml, name);
  if (found.length > 1) throw new Error(`${found.length} elements ${name}`);
  return found[0] ?? null;
}

/** Returns the common prefixes of a listing. */
export function prefixesOf(xml: string): string[] {
  return [...xml.matchAll(/<CommonPrefixes><Prefix>([^<]*)<\/Prefix>/g)].map((match) =>
    unescapeXml(match[1] ?? ''),
  );
}

export function rootOf(xml: string): string {
  return /^<\?xml[^>]*\?>\s*<([A-Za-z0-9]+)/.exec(xml)?.[1] ?? '';
}

export function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Returns the CRC-32 of a text as in headers. */
export function crcOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
}

/** Returns the response, which must be a success. */
export function ok(reply: Reply): Reply {
  if (reply.status < 300) return reply;
  throw new Error(`The answer was ${reply.status}: ${reply.text}`);
}

export function md5(bytes: string | Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

export function hmacSha256(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(
    /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi,
    (_, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return decimal === undefined ? (named[name ?? ''] ?? '') : String.fromCodePoint(Number(decimal));
    },
  );
}

function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

class NodeSha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', asBytes(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(asBytes(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()));
  }
  reset(): void {
    throw new Error('not used by the signer');
  }
}

function asBytes(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

function signer(request: Call): SignatureV4 {
  return new SignatureV4({
    credentials: request.credentials ?? keys,
    region: request.region ?? region,
    service: 's3',
    sha256: NodeSha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
}
