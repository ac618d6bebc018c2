import { AppFailure, failure } from '../../../../shared/errors.ts';

const hidden = '[redacted]';

/** Query parameters that contain a secret or a part of one. A signed URL is a secret as a whole. */
const secretParameters =
  /^(?:x-amz-signature|x-amz-security-token|x-amz-credential|signature|awsaccesskeyid|googleaccessid|x-goog-signature|x-goog-credential|x-amz-server-side-encryption-customer-key.*|token|access[-_]?token|password|secret.*)$/i;

const secretHeaders =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-amz-security-token|x-amz-signature|x-amz-server-side-encryption-customer-key.*|x-amz-copy-source-server-side-encryption-customer-key.*|x-goog-encryption-key.*|.*secret.*|.*password.*)$/i;

/** Returns an encoded path and query without signatures and tokens. All else stays unchanged. */
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

/** Returns the headers for a log, without the values of secret ones. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.test(name) ? hidden : value]),
  );
}

/** The minimum length of a fragment of a secret to remove. Shorter fragments may occur in ordinary words. */
const minFragmentChars = 8;

/** Replaces the beginning of any of `forms` in the text by `mark`, as far as it matches. */
function withoutBeginnings(text: string, forms: readonly string[], mark: string): string {
  let clean = '';
  let from = 0;
  for (;;) {
    const found = forms.map((form) => text.indexOf(form.slice(0, minFragmentChars), from));
    const at = Math.min(...found.filter((place) => place !== -1));
    if (!Number.isFinite(at)) return clean + text.slice(from);
    const lengths = forms
      .filter((_, index) => found[index] === at)
      .map((form) => sharedLength(text, at, form));
    clean += text.slice(from, at) + mark;
    from = at + Math.max(...lengths);
  }
}

function sharedLength(text: string, at: number, form: string): number {
  let length = 0;
  while (length < form.length && text[at + length] === form[length]) length += 1;
  return length;
}

/** Returns the text with its UTF-16 units in reverse order. */
const reversed = (text: string): string => text.split('').toReversed().join('');

/** Removes beginnings and ends of secrets, because services and proxies shorten texts and may leave only a part of a secret. */
function withoutFragments(text: string, secretForms: readonly string[]): string {
  const forms = secretForms.filter((form) => form.length > minFragmentChars);
  const clean = withoutBeginnings(text, forms, hidden);
  if (!forms.some((form) => clean.includes(form.slice(-minFragmentChars)))) return clean;
  return reversed(withoutBeginnings(reversed(clean), forms.map(reversed), reversed(hidden)));
}

/**
 * Returns a message of a service or library without the given secrets, and without anything that looks like a signature, a token
 * or an Authorization header.
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const forms = [...new Set(secrets.flatMap((secret) => [secret, encodeLoosely(secret)]))]
    .filter((form) => form.length >= 4)
    .toSorted((a, b) => b.length - a.length);
  // Whole secrets are removed first, because a fragment of one form may be part of another.
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, hidden);
  clean = withoutFragments(clean, forms);
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
      // Values of headers that a proxy or web page repeats without their names.
      .replace(/\b(Basic|Bearer)\s+[A-Za-z0-9+/._~-]{8,}=*/g, `$1 ${hidden}`)
      .replace(/(:\/\/)[^\s/@:]+:[^\s/@]+@/g, `$1${hidden}@`)
  );
}

function encodeLoosely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}

/** Returns the beginning of a foreign text, for a message: without secrets, on one line, and shortened. */
export type Quote = (text: string, maxLength?: number) => string;

/** The maximum length of a text before secrets are removed. Far less of it is shown. */
const maxQuotedChars = 16 * 1024;

/**
 * Returns the function that shortens foreign texts. Secrets are removed first, because a secret that was cut could not be
 * recognized.
 */
export function quoteWithout(secrets: readonly string[]): Quote {
  return (text, maxLength = 200) =>
    visibleStart(redactText(text.slice(0, maxQuotedChars), secrets), maxLength);
}

/** Decodes as much of a body's beginning as a quote may need. */
export function quotableText(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, maxQuotedChars)).toString('utf8');
}

/**
 * An error whose message quotes a foreign text. The executor, which knows the secrets, creates the message again without them.
 */
export class QuotingFailure extends AppFailure {
  readonly words: (quote: Quote) => string;

  constructor(plain: AppFailure, words: (quote: Quote) => string) {
    super(plain.error, plain.cause === undefined ? undefined : { cause: plain.cause });
    this.words = words;
  }
}

/** Returns the message of an error, with its quotes created by `quote`. */
export function wordsOf(thrown: AppFailure, quote: Quote): string {
  return thrown instanceof QuotingFailure ? thrown.words(quote) : thrown.error.message;
}

/** Creates a QuotingFailure from the arguments of `failure`. */
export function quotingFailure(
  code: Parameters<typeof failure>[0],
  words: (quote: Quote) => string,
  details: Parameters<typeof failure>[2],
): QuotingFailure {
  return new QuotingFailure(failure(code, words(quoteWithout([])), details), words);
}

function visibleStart(text: string, maxLength: number): string {
  const folded = text
    .replace(/\s+/g, ' ')
    // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .trim()
    .toWellFormed();
  return folded.length <= maxLength ? folded : `${folded.slice(0, maxLength).toWellFormed()}…`;
}
