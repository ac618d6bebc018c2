/** The bucket of a typed address, and the prefix as typed. */
export interface Address {
  readonly bucket: string;
  readonly prefix: string;
}

const scheme = /^s3:\/\//i;

/**
 * Reads `bucket/prefix` or `s3://bucket/prefix`; null when there is no bucket in it. White space around it comes from
 * pasting and is no part of a bucket's name; within the prefix every character counts, but for line breaks at the end.
 */
export function parseAddress(text: string): Address | null {
  const pasted = text.trimStart().replace(/[\r\n]+$/u, '');
  const path = pasted.replace(scheme, '');
  // A leading slash is how shells and other tools write it; a bucket's name is never empty.
  const rest = scheme.test(pasted) ? path : path.replace(/^\//u, '');
  const slash = rest.indexOf('/');
  const bucket = (slash === -1 ? rest : rest.slice(0, slash)).trimEnd();
  if (bucket === '' || /[\s\\]/u.test(bucket)) return null;
  return { bucket, prefix: slash === -1 ? '' : rest.slice(slash + 1) };
}

/** The address as shown in the path field. */
export function formatAddress(address: Address): string {
  return `${address.bucket}/${address.prefix}`;
}
