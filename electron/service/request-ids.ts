import { randomFillSync } from 'node:crypto';

export interface RequestIds {
  /** 16 hexadecimal digits in capitals. */
  readonly requestId: string;
  /** 24 bytes in Base64. */
  readonly hostId: string;
}

const requestIdBytes = 8;
const idBytes = 32;
const pool = Buffer.allocUnsafe(128 * idBytes);
let used = pool.byteLength;

/** Returns the two ids of a response. Random bytes come from a pool: a call for 32 of them costs more than their use. */
export function newRequestIds(): RequestIds {
  if (used === pool.byteLength) {
    randomFillSync(pool);
    used = 0;
  }
  const middle = used + requestIdBytes;
  const requestId = pool.toString('hex', used, middle).toUpperCase();
  used += idBytes;
  return { requestId, hostId: pool.toString('base64', middle, used) };
}
