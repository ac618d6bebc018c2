import type { AppError } from '../../../shared/errors.ts';

/** The ETag that an If-Match can name; null: there is none, or a weak one, which never matches (RFC 9110, 13.1.1). */
export function comparableEtag(etag: string | null): string | null {
  return etag === null || etag.startsWith('W/') ? null : etag;
}

/** Whether a refusal of a conditional request may be one of the condition: without it the same request tells. */
export function mayMeanCondition({ code }: AppError): boolean {
  return code === 'unsupported' || code === 'invalid-argument';
}
