import { createS3Client } from '../../electron/core/s3/client.ts';
import type { RequestLogSink, S3Client } from '../../electron/core/s3/types.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import { silentLogger } from './s3-client.ts';

export interface RealService {
  readonly endpoint: string;
  readonly region?: string;
  /** null: requests are not signed. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** The program's client over the real clock: for programs that are killed or measured. */
export function realClient({ endpoint, region, keys }: RealService, requestLog?: RequestLogSink): S3Client {
  return createS3Client(
    {
      endpoint,
      region: region ?? 'us-east-1',
      addressing: 'path',
      credentials: keys === null ? null : () => Promise.resolve(keys),
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
    },
    {
      clock: nodeClock,
      random: nodeRandom,
      logger: silentLogger,
      ...(requestLog === undefined ? {} : { requestLog }),
    },
  );
}
