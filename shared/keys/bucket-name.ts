/** A rule that a bucket name breaks. The window has a text for each. */
export type BucketNameProblem =
  | 'too-short'
  | 'too-long'
  | 'characters'
  | 'upper-case'
  | 'edges'
  | 'dots'
  | 'ip'
  | 'reserved-prefix'
  | 'reserved-suffix';

const reservedPrefixes = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/**
 * Returns the first rule that a name breaks, or null for a valid name.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function bucketNameProblem(name: string): BucketNameProblem | null {
  if (/[A-Z]/.test(name)) return 'upper-case';
  if (/[^a-z0-9.-]/.test(name)) return 'characters';
  if (name.length < 3) return 'too-short';
  if (name.length > 63) return 'too-long';
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return 'edges';
  if (/\.\.|\.-|-\./.test(name)) return 'dots';
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return 'ip';
  if (reservedPrefixes.some((prefix) => name.startsWith(prefix))) return 'reserved-prefix';
  if (reservedSuffixes.some((suffix) => name.endsWith(suffix))) return 'reserved-suffix';
  return null;
}

/** Returns true if the name has a dot. Certificates for `*.s3.example.com` do not match such a name as a subdomain. */
export function hasCertificateTrouble(name: string): boolean {
  return name.includes('.');
}
