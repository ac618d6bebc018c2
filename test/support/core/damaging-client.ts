import type { BodySource } from '../../../electron/core/ports.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { bodyBytes } from './body-bytes.ts';

export type Damage = 'flips one bit' | 'cuts the last byte';

export interface Damaging {
  readonly damage: Damage;
  /** The number of bodies still to be damaged. Later bodies arrive unchanged. */
  left: number;
  /** The number of bodies damaged so far. */
  damaged: number;
}

/**
 * Returns a client that damages the bodies it sends and drops Content-MD5 and checksums, so that the service cannot notice. This
 * simulates a proxy that drops these headers, or a service that does not check them.
 */
export function damagingClient(client: S3Client, plan: Damaging): S3Client {
  return {
    ...client,
    putObject: async ({ contentMd5: _dropped, checksums: _also, ...input }, options) =>
      await client.putObject({ ...input, body: await onItsWay(input.body, plan) }, options),
    uploadPart: async ({ contentMd5: _dropped, checksums: _also, ...input }, options) =>
      await client.uploadPart({ ...input, body: await onItsWay(input.body, plan) }, options),
  };
}

async function onItsWay(body: BodySource, plan: Damaging): Promise<BodySource> {
  if (plan.left <= 0 || body.sizeBytes === 0) return body;
  plan.left -= 1;
  plan.damaged += 1;
  const bytes = await bodyBytes(body);
  const at = bytes.length >> 1;
  if (plan.damage === 'flips one bit') bytes[at] = (bytes[at] ?? 0) ^ 1;
  const sent = plan.damage === 'flips one bit' ? bytes : bytes.subarray(0, -1);
  return { sizeBytes: sent.length, open: () => sent };
}
