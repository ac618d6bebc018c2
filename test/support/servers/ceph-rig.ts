import type { EndpointConfig } from '../../../electron/core/s3/model/connection-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { startCeph, type Ceph } from './ceph.ts';
import { realClient } from './real-client.ts';
import { TransferRig } from '../core/transfers-rig.ts';

const MiB = 1024 * 1024;

/** Returns the program's client for a Ceph RGW. */
export function cephClient(ceph: Ceph, config: Partial<EndpointConfig> = {}): S3Client {
  return realClient(
    { endpoint: ceph.endpoint, region: ceph.region, keys: ceph },
    {},
    { provider: 'ceph', ...config },
  );
}

export interface CephRig {
  readonly ceph: Ceph;
  readonly client: S3Client;
  readonly rig: TransferRig;
  readonly close: () => Promise<void>;
}

/** Starts a rig of transfers and operations with an account in Ceph, with the smallest part and copy sizes that Ceph accepts. */
export async function startCephRig(
  config: Partial<EndpointConfig> = {},
  options: { readonly isOpen?: boolean } = {},
): Promise<CephRig> {
  const ceph = await startCeph({}, options);
  const client = cephClient(ceph, config);
  const rig = await TransferRig.start({
    external: { client, minPartBytes: 5 * MiB, largestCopyBytes: 12 * MiB },
  });
  return {
    ceph,
    client,
    rig,
    close: async () => {
      await rig.close();
      ceph.stop();
    },
  };
}
