import { assertNever } from '../../../shared/assert-never.ts';
import type { ObjectRef, Preview } from '../../../shared/models/objects.ts';
import type { ShownAs, Tickets } from '../bytes/tickets.ts';
import type { ObjectHead } from '../s3/types.ts';
import { isArchived } from './details.ts';
import { previewKindOf } from '../bytes/preview-kind.ts';

/** Text beyond this is cut: nobody reads further, and the window has to hold it. */
export const textLimitBytes = 1024 * 1024;

export interface PreviewDeps {
  readonly tickets: Tickets;
  readonly limitBytes: number;
}

/** How an object can be shown, and a ticket for its bytes where it can. */
export function previewOf(ref: ObjectRef, head: ObjectHead, deps: PreviewDeps): Preview {
  const { limitBytes } = deps;
  const none = (why: 'too-large' | 'unknown-type' | 'empty' | 'archived'): Preview => ({
    kind: 'none',
    why,
    limitBytes,
  });
  if (head.sizeBytes === 0) return none('empty');
  if (isArchived(head)) return none('archived');
  const kind = previewKindOf(ref.key, head.contentType);
  const path = (shownAs: ShownAs, firstBytes: number | null): string =>
    deps.tickets.issue({
      ref,
      etag: head.etag,
      sizeBytes: head.sizeBytes,
      lastModified: head.lastModified,
      shownAs,
      firstBytes,
    });
  switch (kind.kind) {
    case 'unknown':
      return none('unknown-type');
    case 'text': {
      // What is compressed on the way cannot be shown from its beginning.
      if (isEncoded(head)) return none('unknown-type');
      const limit = Math.min(textLimitBytes, limitBytes);
      if (limit === 0) return none('too-large');
      const cut = head.sizeBytes > limit ? limit : null;
      return {
        kind: 'text',
        path: path('text/plain; charset=utf-8', cut),
        language: kind.language,
        truncatedAtBytes: cut,
      };
    }
    case 'image':
    case 'pdf': {
      if (isEncoded(head)) return none('unknown-type');
      if (head.sizeBytes > limitBytes) return none('too-large');
      return kind.kind === 'pdf'
        ? { kind: 'pdf', path: path('application/pdf', null) }
        : { kind: 'image', path: path(kind.contentType, null) };
    }
    default:
      return assertNever(kind);
  }
}

/** `aws-chunked` is a leftover of some uploaders and encodes nothing. */
function isEncoded(head: ObjectHead): boolean {
  const codings = (head.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase());
  return codings.some((coding) => coding !== '' && coding !== 'identity' && coding !== 'aws-chunked');
}
