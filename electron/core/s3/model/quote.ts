import { AppFailure, failure } from '../../../../shared/errors.ts';
import { redactText } from './redact.ts';

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
