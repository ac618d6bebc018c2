import { failure } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import { presignQuery } from '../http/presign-query.ts';
import type { ObjectRef } from '../model/object-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { versionQuery } from './attribute-headers.ts';

const maxSeconds = 7 * 24 * 60 * 60;

export function presignOperations(executor: Executor): Pick<S3Client, 'presign' | 'objectUrl'> {
  return {
    async presign(input) {
      const { expiresInSeconds } = input;
      if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > maxSeconds) {
        throw failure('invalid-argument', 'A signed link must be valid for one second to seven days.');
      }
      const source = executor.config.credentials;
      if (source === null) {
        throw failure('unsupported', 'An anonymous connection has no key to sign a link with.', {
          retry: 'after-fix',
        });
      }
      const credentials = await source({ refresh: false });
      const nowMs = executor.deps.clock.nowMs() + executor.deps.clockOffset.offsetMs;
      const target = executor.targetFor(input.bucket, input.key);
      const payer: Record<string, string> =
        executor.config.requesterPays === true ? { 'x-amz-request-payer': 'requester' } : {};
      const query = await presignQuery(
        { method: input.method, target, query: { ...payer, ...queryOf(input) }, headers: {} },
        { credentials, region: executor.placeOf(input.bucket).region, nowMs, expiresInSeconds },
      );
      // The service counts from X-Amz-Date, which has whole seconds.
      const ownEndMs = Math.floor(nowMs / 1000) * 1000 + expiresInSeconds * 1000;
      // A URL expires with the temporary credentials that signed it, even if it was signed for longer.
      const keysEndMs = credentials.expiresAtMs ?? Infinity;
      const isTemporary = credentials.sessionToken !== undefined;
      return {
        url: `${target.origin}${target.path}?${query}`,
        expiresAt: new Date(Math.min(ownEndMs, keysEndMs)).toISOString(),
        endsWith:
          keysEndMs < ownEndMs ? 'keys' : isTemporary && keysEndMs === Infinity ? 'keys-unknown' : 'time',
      };
    },

    objectUrl({ bucket, key, versionId }) {
      const target = executor.targetFor(bucket, key);
      const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
      return `${target.origin}${target.path}${version}`;
    },
  };
}

interface LinkQuery extends ObjectRef {
  readonly responseDisposition?: string;
  readonly responseType?: string;
}

/**
 * Returns the query that changes headers of the response (https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html).
 */
function queryOf(input: LinkQuery): Record<string, string> {
  const { responseDisposition, responseType } = input;
  return {
    ...versionQuery(input),
    ...(responseDisposition === undefined ? {} : { 'response-content-disposition': responseDisposition }),
    ...(responseType === undefined ? {} : { 'response-content-type': responseType }),
  };
}
