import { hash } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { encodeQuery } from './encode.ts';
import type { Target } from './addressing.ts';
import type { Credentials } from './types.ts';

export const unsignedPayload = 'UNSIGNED-PAYLOAD';
export const emptyPayloadHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const hmacBlockBytes = 64;

/**
 * SHA-256 and its HMAC (RFC 2104) in the shape that the signer wants. Both of whole messages at once: a request hashes three
 * short texts, and Node's streaming hashes and key objects cost many times what is hashed.
 */
class Sha256 {
  readonly #secret: string | ArrayBuffer | ArrayBufferView | null;
  #message: Uint8Array = new Uint8Array();

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret ?? null;
  }

  update(data: Uint8Array): void {
    this.#message = this.#message.byteLength === 0 ? data : Buffer.concat([this.#message, data]);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#digest());
  }

  #digest(): Uint8Array {
    if (this.#secret === null) return hash('sha256', this.#message, 'buffer');
    if (typeof this.#secret === 'string') return hmacOfCredentials(this.#secret, this.#message);
    return hmacSha256(toBytes(this.#secret), this.#message);
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

/** What is as secret as the credentials, which are in memory too. */
let lastHmac: { readonly secret: string; readonly message: Uint8Array; readonly hmac: Uint8Array } | null =
  null;

/**
 * The signer looks for the key of the day by an HMAC of the credentials, the same for every request of a connection, and
 * only those are given to it as text. The last one is remembered.
 */
function hmacOfCredentials(secret: string, message: Uint8Array): Uint8Array {
  if (lastHmac?.secret === secret && Buffer.compare(lastHmac.message, message) === 0) return lastHmac.hmac;
  const hmac = hmacSha256(Buffer.from(secret, 'utf8'), message);
  lastHmac = { secret, message, hmac };
  return hmac;
}

function hmacSha256(secret: Uint8Array, message: Uint8Array): Uint8Array {
  const key = secret.byteLength > hmacBlockBytes ? hash('sha256', secret, 'buffer') : secret;
  const inner = Buffer.allocUnsafe(hmacBlockBytes + message.byteLength);
  const outer = Buffer.allocUnsafe(hmacBlockBytes + 32);
  for (let at = 0; at < hmacBlockBytes; at += 1) {
    const byte = key[at] ?? 0;
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  inner.set(message, hmacBlockBytes);
  outer.set(hash('sha256', inner, 'buffer'), hmacBlockBytes);
  return hash('sha256', outer, 'buffer');
}

function toBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return new Uint8Array(data);
}

export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

export interface SigningScope {
  readonly credentials: Credentials;
  readonly region: string;
  /** The time to sign for: this computer's clock with the service's offset. */
  readonly nowMs: number;
}

export interface Signable {
  readonly method: string;
  readonly target: Target;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case, without host. */
  readonly headers: Readonly<Record<string, string>>;
}

function signer(scope: SigningScope): SignatureV4 {
  const { accessKeyId, secretAccessKey, sessionToken } = scope.credentials;
  return new SignatureV4({
    service: 's3',
    region: scope.region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: true,
  });
}

/** Proxies rewrite ordinary headers (rclone#6670): only host, date, content hash and x-amz-* are signed. */
function signable(
  headers: Readonly<Record<string, string>>,
  alsoSigned: readonly string[] = [],
): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    if (name === 'host' || name.startsWith('x-amz-') || alsoSigned.includes(name))
      chosen[name] = headers[name] ?? '';
  }
  return chosen;
}

function httpRequest(request: Signable, headers: Record<string, string>, body: unknown) {
  return {
    method: request.method,
    protocol: 'https:',
    hostname: request.target.host,
    path: request.target.path,
    query: { ...request.query },
    headers,
    body,
  };
}

/** The headers to send, `host` and `authorization` among them. `alsoSigned` is for the published test vectors. */
export async function signHeaders(
  request: Signable,
  payloadHash: string,
  scope: SigningScope,
  alsoSigned: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const headers = { ...request.headers, host: request.target.host, 'x-amz-content-sha256': payloadHash };
  const signed = await signer(scope).sign(httpRequest(request, signable(headers, alsoSigned), undefined), {
    signingDate: new Date(scope.nowMs),
  });
  return { ...headers, ...signed.headers };
}

export interface PresignScope extends SigningScope {
  readonly expiresInSeconds: number;
}

/** The query of a presigned URL, signature included; only `host` is signed. */
export async function presignQuery(request: Signable, scope: PresignScope): Promise<string> {
  const headers = { ...request.headers, host: request.target.host };
  // A body that is neither text nor bytes makes the signer use UNSIGNED-PAYLOAD, as presigned URLs want it.
  const signed = await signer(scope).presign(httpRequest(request, signable(headers), {}), {
    signingDate: new Date(scope.nowMs),
    expiresIn: scope.expiresInSeconds,
  });
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(signed.query ?? {})) {
    if (typeof value === 'string') query[name] = value;
  }
  return encodeQuery(query);
}
