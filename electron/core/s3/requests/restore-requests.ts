import { AppFailure, failure } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import type { PropertyOperations } from '../model/property-types.ts';
import { versionQuery } from './attribute-headers.ts';
import { xmlRequest, escapeXml } from '../xml/render.ts';

/** The storage classes in the specification: "one of STANDARD, COLD" (section 2). */
const specifiedClasses = ['STANDARD', 'COLD'];

/**
 * Implements the requests for archived objects. RestoreObject responds with 202 if it starts a restore, and with 200 if a
 * restored copy exists (https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html).
 */
export function restoreOperations(
  executor: Executor,
): Pick<PropertyOperations, 'restoreObject' | 'storageClasses'> {
  const { storageClasses } = executor.quirks;
  return {
    storageClasses:
      storageClasses.length === 0
        ? { offered: specifiedClasses, areKnown: false }
        : { offered: storageClasses, areKnown: true },

    async restoreObject(input, options) {
      const tier =
        input.tier === null
          ? ''
          : `<GlacierJobParameters><Tier>${escapeXml(input.tier)}</Tier></GlacierJobParameters>`;
      try {
        return await executor.execute(
          {
            name: 'RestoreObject',
            method: 'POST',
            bucket: input.bucket,
            key: input.key,
            query: { ...versionQuery(input), restore: '' },
            ...xmlRequest('RestoreRequest', `<Days>${String(input.days)}</Days>${tier}`),
            effect: 'write',
            repeatable: 'always',
          },
          options,
          async (answer) => {
            await answer.done();
            return answer.status === 202 ? 'started' : 'prolonged';
          },
        );
      } catch (thrown) {
        throw explained(thrown);
      }
    },
  };
}

/** Converts two errors that mean something else here than when reading an object. */
function explained(thrown: unknown): unknown {
  if (!(thrown instanceof AppFailure)) return thrown;
  const { s3, message, outcome } = thrown.error;
  if (s3?.code === 'InvalidObjectState') {
    return failure('invalid-argument', message, {
      reason: 'not-archived',
      outcome,
      s3,
      cause: thrown,
    });
  }
  if (s3?.code === 'RestoreAlreadyInProgress') {
    return failure('conflict', message, {
      reason: 'restore-in-progress',
      outcome,
      s3,
      cause: thrown,
    });
  }
  return thrown;
}
