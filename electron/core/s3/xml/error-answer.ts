import { textOrNull, type XmlElement } from './parse.ts';

/** An <Error> document. */
export interface ErrorAnswer {
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  /** Where the bucket is, when that is what the error is about. */
  readonly region: string | null;
  readonly endpoint: string | null;
}

/** Reads an <Error> root; null for any other document. */
export function readErrorAnswer(root: XmlElement): ErrorAnswer | null {
  if (root.name === 'ErrorResponse') {
    const inner = root.first('Error');
    return inner === null ? null : readErrorAnswer(inner);
  }
  if (root.name !== 'Error') return null;
  const trimmed = (name: string) => textOrNull(root.child(name)?.trim() ?? null);
  return {
    code: trimmed('Code'),
    message: trimmed('Message'),
    requestId: trimmed('RequestId') ?? trimmed('RequestID'),
    region: trimmed('Region'),
    endpoint: trimmed('Endpoint'),
  };
}
