import { failure } from '../../../../shared/errors.ts';
import type { Executor } from '../executor.ts';
import { presignQuery } from '../sign.ts';
import type { S3Client } from '../types.ts';
import { versionQuery } from './attributes.ts';

const maxSeconds = 7 * 24 * 60 * 60;

export function presignOperations(executor: Executor): Pick<S3Client, 'presign' | 'objectUrl'> {
  return {
    async presign(input) {
      const { expiresInSeconds } = input;
      if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > maxSeconds) {
        throw failure('invalid-argument', 'A signed link lasts between one second and seven days.');
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
      const query = await presignQuery(
        { method: input.method, target, query: versionQuery(input), headers: {} },
        { credentials, region: executor.placeOf(input.bucket).region, nowMs, expiresInSeconds },
      );
      // Temporary keys end the link with themselves, however long it was signed for.
      const endsAtMs = Math.min(nowMs + expiresInSeconds * 1000, credentials.expiresAtMs ?? Infinity);
      return {
        url: `${target.origin}${target.path}?${query}`,
        expiresAt: new Date(endsAtMs).toISOString(),
      };
    },

    objectUrl({ bucket, key, versionId }) {
      const target = executor.targetFor(bucket, key);
      const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
      return `${target.origin}${target.path}${version}`;
    },
  };
}
