import { textOrNull, type XmlElement } from './parse.ts';

/** A parsed <Error> document. */
export interface ErrorResponse {
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  /** The right region of the bucket, if the error names it. */
  readonly region: string | null;
  readonly endpoint: string | null;
  /** The maximum size, if the error is EntityTooLarge. */
  readonly maxSizeBytes: number | null;
}

/** Matches names of regions, such as eu-central-1, garage, my_zone and dc1.local. */
const regionName = '[A-Za-z0-9._-]{1,64}';

/** Returns the region that a response names as the right one, in an element or a sentence; null if it names none. */
export function regionIn({ region, message }: Pick<ErrorResponse, 'region' | 'message'>): string | null {
  if (region !== null) return new RegExp(`^${regionName}$`).test(region) ? region : null;
  const sentences = [
    // AWS, Ceph and MinIO send this message.
    `expecting '(${regionName})'`,
    // Garage's message contains the whole scope that it expects.
    `expect(?:ed|ing):? *["'\`]?\\d{8}/(${regionName})/s3/`,
    `^The (${regionName}) location constraint is incompatible`,
  ];
  for (const sentence of sentences) {
    const found = new RegExp(sentence).exec(message ?? '')?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the content of an <Error>; null if the root is another element. */
export function readErrorResponse(root: XmlElement): ErrorResponse | null {
  if (root.name === 'ErrorResponse') {
    const inner = root.first('Error');
    return inner === null ? null : readErrorResponse(inner);
  }
  if (root.name !== 'Error') return null;
  const trimmed = (name: string) => textOrNull(root.child(name)?.trim() ?? null);
  return {
    code: trimmed('Code'),
    message: trimmed('Message'),
    requestId: trimmed('RequestId') ?? trimmed('RequestID'),
    region: trimmed('Region'),
    endpoint: trimmed('Endpoint'),
    maxSizeBytes: bytesIn(trimmed('MaxSizeAllowed')),
  };
}

function bytesIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
