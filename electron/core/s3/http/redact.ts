const hidden = '[redacted]';

/** Query parameters that are, or are part of, a secret; a signed URL is one as a whole. */
const secretParameters =
  /^(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid|googleaccessid|x-goog-signature|x-goog-credential|x-amz-server-side-encryption-customer-key.*|token|access[-_]?token|password|secret.*)$/i;

const secretHeaders =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-amz-security-token|x-amz-signature|x-amz-server-side-encryption-customer-key.*|x-amz-copy-source-server-side-encryption-customer-key.*|x-goog-encryption-key.*|.*secret.*|.*password.*)$/i;

/** A raw path and query with signatures and tokens replaced; everything else stays to the byte. */
export function redactPath(path: string): string {
  const question = path.indexOf('?');
  if (question === -1) return path;
  const query = path
    .slice(question + 1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return pair;
      const name = pair.slice(0, equals);
      return secretParameters.test(decodeLoosely(name)) ? `${name}=${hidden}` : pair;
    })
    .join('&');
  return `${path.slice(0, question)}?${query}`;
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).trim();
  } catch {
    return text;
  }
}

/** Headers for a log. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.test(name) ? hidden : value]),
  );
}

/** Fewer characters of a secret in a row are left as they are: words begin alike. */
const minFragmentChars = 8;

/**
 * Redacts the beginnings and the ends of a secret. Texts are cut to a length, here and by proxies, and a secret at the cut
 * is not whole any longer.
 */
function withoutFragments(text: string, secret: string): string {
  if (secret.length <= minFragmentChars) return text;
  const begin = secret.slice(0, minFragmentChars);
  const end = secret.slice(-minFragmentChars);
  let clean = text;
  for (let at = clean.indexOf(begin); at !== -1; at = clean.indexOf(begin, at + hidden.length)) {
    let length = minFragmentChars;
    while (length < secret.length && clean[at + length] === secret[length]) length += 1;
    clean = clean.slice(0, at) + hidden + clean.slice(at + length);
  }
  for (let at = clean.indexOf(end); at !== -1; at = clean.indexOf(end, at + 1)) {
    let length = minFragmentChars;
    while (length < secret.length && at > 0 && clean[at - 1] === secret.at(-length - 1)) {
      length += 1;
      at -= 1;
    }
    clean = clean.slice(0, at) + hidden + clean.slice(at + length);
  }
  return clean;
}

/**
 * A message of the service or of a library without secrets: the known ones wherever they are, and whatever looks like
 * a signature, a token or an Authorization header.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    for (const form of new Set([secret, encodeLoosely(secret)])) {
      if (form.length >= 4) clean = withoutFragments(clean.replaceAll(form, hidden), form);
    }
  }
  return (
    clean
      .replace(/(AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256)(?:\s+\w+=[^\s,]+,?)+/g, `$1 ${hidden}`)
      .replace(
        /\b((?:X-Amz-)?(?:Signature|Security-Token|Credential)|AWSAccessKeyId)(\s*[=:]\s*)[^\s&"'<>,]+/gi,
        `$1$2${hidden}`,
      )
      .replace(
        /\b(Authorization["']?\s*[:=]\s*["']?)(?:(?:Basic|Bearer|Digest|Negotiate|NTLM|AWS)\s+)?[^\s"'<>]+/gi,
        `$1${hidden}`,
      )
      // What a proxy or a page echoes of a header, without its name.
      .replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/._~-]{8,}=*/g, `$1 ${hidden}`)
      .replace(/(:\/\/)[^\s/@:]+:[^\s/@]+@/g, `$1${hidden}@`)
  );
}

function encodeLoosely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}
