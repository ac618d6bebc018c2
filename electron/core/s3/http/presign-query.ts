import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { encodeQuery } from '../model/encode.ts';
import type { Signable, SigningScope } from './sign.ts';

/** SHA-256 and HMAC-SHA-256 with the interface that the signer of the AWS SDK requires. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

function toKey(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret;
  if (ArrayBuffer.isView(secret)) return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
  return new Uint8Array(secret);
}

export interface PresignScope extends SigningScope {
  readonly expiresInSeconds: number;
}

/** Returns the query of a presigned URL, including its signature by the AWS SDK's signer. Only `host` is signed. */
export async function presignQuery(request: Signable, scope: PresignScope): Promise<string> {
  const { accessKeyId, secretAccessKey, sessionToken } = scope.credentials;
  const signer = new SignatureV4({
    service: 's3',
    region: scope.region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
    sha256: Sha256,
    uriEscapePath: false,
  });
  const headers = { ...request.headers, host: request.target.host };
  const unsigned = Object.keys(headers).filter((name) => name !== 'host' && !name.startsWith('x-amz-'));
  const signed = await signer.presign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: request.target.host,
      path: request.target.path,
      query: { ...request.query },
      headers,
      // A body that is neither text nor bytes makes the signer use UNSIGNED-PAYLOAD, as presigned URLs require.
      body: {},
    },
    {
      signingDate: new Date(scope.nowMs),
      expiresIn: scope.expiresInSeconds,
      unsignableHeaders: new Set(unsigned),
    },
  );
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(signed.query ?? {})) {
    if (typeof value === 'string') query[name] = value;
  }
  return encodeQuery(query);
}
