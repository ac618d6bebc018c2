import http from 'node:http';
import { realClient } from '../../support/servers/real-client.ts';
import type { BenchServer } from '../support/bench-servers.ts';

export interface PlainRead {
  readonly bucket: string;
  readonly key: string;
  readonly sizeBytes: number;
  readonly connections: number;
}

/**
 * Returns the seconds to download an object by plain requests, one range per connection, without storing or verifying bytes.
 * This is the limit that the service and the network set.
 */
export async function plainRanges(
  server: Pick<BenchServer, 'endpoint' | 'keys'>,
  { bucket, key, sizeBytes, connections }: PlainRead,
): Promise<number> {
  const client = realClient({ ...server, region: 'us-east-1' });
  try {
    const { url } = await client.presign({ bucket, key, method: 'GET', expiresInSeconds: 3600 });
    const each = Math.ceil(sizeBytes / connections);
    const started = performance.now();
    const received = await Promise.all(
      Array.from({ length: connections }, async (_, index) => {
        const last = Math.min(sizeBytes, (index + 1) * each) - 1;
        return await bytesOfRange(url, `bytes=${index * each}-${last}`);
      }),
    );
    const total = received.reduce((sum, bytes) => sum + bytes, 0);
    if (total !== sizeBytes) throw new Error(`${total} of ${sizeBytes} bytes arrived.`);
    return (performance.now() - started) / 1000;
  } finally {
    await client.close();
  }
}

async function bytesOfRange(url: string, range: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  http
    .get(url, { agent: false, headers: { range } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    })
    .on('error', reject);
  return await promise;
}
