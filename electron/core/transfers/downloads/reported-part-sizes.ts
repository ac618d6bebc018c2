import { toAppError } from '../../../../shared/errors.ts';
import { failedAttempt, noteAttempt } from '../../jobs/log-request.ts';
import { forEachLimited } from '../../flow/loops.ts';
import { hasLearned, learn } from '../../s3/conditions/learned.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import { isLastDamage, type DownloadItem } from '../items/transfer-item.ts';
import { objectOf, type ItemContext } from '../items/item-context.ts';

/** The maximum number of parts to request. For more parts, the requests cost more than verifying the object is worth. */
const maxRequestedParts = 1000;
const headsAtOnce = 4;

/** Requests the part sizes of an object from its service. Remembers per service whether they matched its ETags. */
export interface ReportedPartSizes {
  /**
   * Returns the part sizes in bytes, in order. Returns null if the service does not report them, or if its ETags cannot verify
   * content.
   */
  readonly sizes: (count: number) => Promise<readonly number[] | null>;
  /** Called when the content matches the ETag. */
  readonly onFit: () => void;
  /**
   * Called when the content does not match the ETag but gives `computedEtag`. Returns true if the service computes ETags in an
   * unknown way: each attempt gave the same result, and no ETag of the service ever matched. Damage in transit would differ each
   * time.
   */
  readonly usesUnknownEtags: (computedEtag: string) => boolean;
}

/**
 * Requests part sizes with HEAD and `partNumber`: first those of the first and last part, then of all parts if these do not add
 * up (https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html).
 */
export function reportedPartSizes(
  context: ItemContext,
  item: DownloadItem,
  sizeBytes: number,
  etag: string,
): ReportedPartSizes {
  const { client, job, signal, log } = context;

  const sizeOf = async (partNumber: number): Promise<number | null> => {
    try {
      const head = await client.headObject({ ...objectOf(job, item), partNumber }, { signal });
      return head.etag !== null && sameEtag(head.etag, etag) ? head.sizeBytes : null;
    } catch (thrown) {
      const error = toAppError(thrown);
      // Some services always respond to this request with a server error. That must not prevent downloads.
      if (error.retry === 'backoff' && error.code !== 'server') throw thrown;
      log(failedAttempt('head-object', partNumber, error));
      return null;
    }
  };

  const sizes = async (count: number): Promise<readonly number[] | null> => {
    if (hasLearned(client, job.bucket, 'etags-of-its-own')) return null;
    if (count < 2) return [sizeBytes];
    const first = await sizeOf(1);
    // If the service ignores `partNumber`, it reports the size of the whole object.
    if (first === null || first >= sizeBytes) return null;
    const last = await sizeOf(count);
    if (last === null) return null;
    if (first * (count - 1) + last === sizeBytes)
      return Array.from({ length: count }, (_, index) => (index === count - 1 ? last : first));
    if (count > maxRequestedParts) return null;
    const sizeOfPart = new Map<number, number | null>([
      [1, first],
      [count, last],
    ]);
    const between = Array.from({ length: count - 2 }, (_, index) => index + 2);
    await forEachLimited(between, headsAtOnce, signal, async (partNumber) => {
      sizeOfPart.set(partNumber, await sizeOf(partNumber));
    });
    const all = Array.from({ length: count }, (_, index) => sizeOfPart.get(index + 1) ?? 0);
    return all.every((size) => size > 0) && all.reduce((sum, size) => sum + size, 0) === sizeBytes
      ? all
      : null;
  };

  return {
    sizes,
    onFit: () => learn(client, job.bucket, 'etags-by-parts'),
    usesUnknownEtags: (computedEtag) => {
      if (hasLearned(client, job.bucket, 'etags-by-parts')) return false;
      const before = item.error?.difference ?? null;
      if (!isLastDamage(item) || before?.what !== 'etag' || before.got !== computedEtag) return false;
      learn(client, job.bucket, 'etags-of-its-own');
      const remark = `each download received the same bytes, with ${computedEtag}: the service computes its ETag ${etag} in another way`;
      log(noteAttempt('hash', remark));
      return true;
    },
  };
}
