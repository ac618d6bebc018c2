/** The bucket of a typed address, and the prefix as typed. */
export interface Address {
  readonly bucket: string;
  readonly prefix: string;
}

const scheme = /^s3:\/\//i;
const webScheme = /^https?:\/\//i;

/** Returns true for the web address of an object, which `readServiceAddress` reads. */
export function isWebAddress(text: string): boolean {
  return webScheme.test(text.trimStart());
}

/**
 * Parses `bucket/prefix` or `s3://bucket/prefix`; returns null if it names no bucket. Leading white space comes from pasting and
 * is not part of the bucket's name. In the prefix every character counts, except line breaks at the end.
 */
export function parseAddress(text: string): Address | null {
  const pasted = text.trimStart().replace(/[\r\n]+$/u, '');
  const path = pasted.replace(scheme, '');
  // Shells and other tools write a leading slash; a bucket's name is never empty.
  const rest = scheme.test(pasted) ? path : path.replace(/^\//u, '');
  const slash = rest.indexOf('/');
  const bucket = (slash === -1 ? rest : rest.slice(0, slash)).trimEnd();
  if (bucket === '' || /[\s\\]/u.test(bucket) || isWebAddress(pasted)) return null;
  return { bucket, prefix: slash === -1 ? '' : rest.slice(slash + 1) };
}

/** Returns the address as shown in the path field. */
export function formatAddress(address: Address): string {
  return `${address.bucket}/${address.prefix}`;
}
