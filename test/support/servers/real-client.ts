import { createS3Client, type S3ClientDeps } from '../../../electron/core/s3/client.ts';
import type { EndpointConfig } from '../../../electron/core/s3/model/connection-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { silentLogger } from './s3-client.ts';

export interface RealService {
  readonly endpoint: string;
  readonly region?: string;
  /** Null if requests are not signed. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Returns the program's client with the real clock, for real services and for programs that are killed or measured. */
export function realClient(
  { endpoint, region, keys }: RealService,
  deps: Partial<S3ClientDeps> = {},
  config: Partial<EndpointConfig> = {},
): S3Client {
  return createS3Client(
    {
      endpoint,
      region: region ?? 'us-east-1',
      addressing: 'path',
      credentials: keys === null ? null : () => Promise.resolve(keys),
      caPem: null,
      proxyUrl: 'none',
      provider: 'custom',
      ...config,
    },
    { clock: nodeClock, random: nodeRandom, logger: silentLogger, ...deps },
  );
}
