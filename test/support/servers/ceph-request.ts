import { encodeQuery } from '../../../electron/core/s3/model/encode.ts';
import { sha256Hex, signHeaders } from '../../../electron/core/s3/http/sign.ts';
import { rawFetch } from './raw-fetch.ts';
import type { RealServer } from './real-server.ts';

/** Sends a signed request to Ceph, for preparations that the program's client does not support. */
export async function cephRequest(
  ceph: RealServer,
  method: 'PUT',
  path: string,
  query: Readonly<Record<string, string>>,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const host = new URL(ceph.endpoint).host;
  const target = { origin: ceph.endpoint, host, path };
  const signed = signHeaders({ method, target, query, headers }, sha256Hex(Buffer.from(body)), {
    credentials: ceph,
    region: ceph.region,
    nowMs: Date.now(),
  });
  const text = encodeQuery(query);
  const url = `${ceph.endpoint}${text === '' ? path : `${path}?${text}`}`;
  const response = await rawFetch(url, method, body, signed);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
}
