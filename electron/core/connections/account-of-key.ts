const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the AWS account that an access key belongs to; null for other keys. New keys of an account thus find what its old keys
 * cached. The account is bits 1 to 39 of the decoded key. Source: sts:GetAccessKeyInfo returns the same; A Short Note on AWS KEY
 * ID (Tal Be'ery, 2023).
 */
export function accountOfKey(accessKeyId: string): string | null {
  const coded = /^A(?:KIA|SIA)([A-Z2-7]{16})$/.exec(accessKeyId)?.[1];
  if (coded === undefined) return null;
  // Ten characters of 5 bits hold the 48 bits that count.
  const bits = Array.from(coded.slice(0, 10)).reduce(
    (sum, char) => sum * 32n + BigInt(base32.indexOf(char)),
    0n,
  );
  const first48 = bits >> 2n;
  return ((first48 & 0x7f_ff_ff_ff_ff_80n) >> 7n).toString().padStart(12, '0');
}
