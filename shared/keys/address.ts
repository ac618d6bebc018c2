/** A bucket and a prefix, parsed from a typed address. The prefix is not decoded. */
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
 * Parses `bucket/prefix` or `s3://bucket/prefix`. Returns null without a bucket. Ignores leading white space and trailing line
 * breaks, which come from pasting. Keeps all other characters in the prefix.
 */
export function parseAddress(text: string): Address | null {
  const pasted = text.trimStart().replace(/[\r\n]+$/u, '');
  const path = pasted.replace(scheme, '');
  // Removes a leading slash, which some tools write. It cannot mean an empty bucket name.
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
