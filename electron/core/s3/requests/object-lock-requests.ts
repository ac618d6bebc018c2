import { AppFailure } from '../../../../shared/errors.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import type { Executor } from '../http/executor.ts';
import type { S3Client } from '../model/s3-client.ts';
import { repeatable } from '../http/s3-operation.ts';
import type { ObjectRetention } from '../model/property-types.ts';
import { parseTime, type XmlElement } from '../xml/parse.ts';
import { propertyOf } from './attribute-headers.ts';
import { xmlRequest, escapeXml } from '../xml/render.ts';

/** Implements the requests for object lock (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html). */
export function lockOperations(executor: Executor) {
  return {
    async getBucketLock({ bucket }, options) {
      return await absentAsNull(
        executor.execute(
          repeatable({
            name: 'GetObjectLockConfiguration',
            method: 'GET',
            bucket,
            query: { 'object-lock': '' },
          }),
          options,
          async (response) => {
            const root = await response.xml('ObjectLockConfiguration');
            return { isEnabled: root.child('ObjectLockEnabled')?.trim() === 'Enabled' };
          },
        ),
      );
    },

    async getObjectRetention(ref, options) {
      return await absentAsNull(
        executor.execute(
          repeatable({ name: 'GetObjectRetention', method: 'GET', ...propertyOf(ref, 'retention') }),
          options,
          async (response) => readRetention(await response.xml('Retention')),
        ),
      );
    },

    async putObjectRetention(input, options) {
      const { retention } = input;
      const content =
        retention === null
          ? ''
          : `<Mode>${retention.mode}</Mode><RetainUntilDate>${escapeXml(retention.until)}</RetainUntilDate>`;
      const { body, headers } = xmlRequest('Retention', content);
      await executor.apply(
        repeatable({
          name: 'PutObjectRetention',
          method: 'PUT',
          ...propertyOf(input, 'retention'),
          headers: {
            ...headers,
            ...(input.bypassGovernance === true ? { 'x-amz-bypass-governance-retention': 'true' } : {}),
          },
          body,
        }),
        options,
      );
    },

    async getObjectLegalHold(ref, options) {
      const status = await absentAsNull(
        executor.execute(
          repeatable({ name: 'GetObjectLegalHold', method: 'GET', ...propertyOf(ref, 'legal-hold') }),
          options,
          async (response) => (await response.xml('LegalHold')).child('Status')?.trim() === 'ON',
        ),
      );
      return status ?? false;
    },

    async putObjectLegalHold(input, options) {
      await executor.apply(
        repeatable({
          name: 'PutObjectLegalHold',
          method: 'PUT',
          ...propertyOf(input, 'legal-hold'),
          ...xmlRequest('LegalHold', `<Status>${input.on ? 'ON' : 'OFF'}</Status>`),
        }),
        options,
      );
    },
  } satisfies Partial<S3Client>;
}

/** The error codes for a bucket or object without a lock. AWS sends the last one for a bucket without object lock. */
const absent: ReadonlySet<string> = new Set([
  'NoSuchObjectLockConfiguration',
  'ObjectLockConfigurationNotFoundError',
  'ObjectLockConfigurationNotFound',
  'InvalidRequest',
]);

async function absentAsNull<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending;
  } catch (thrown) {
    if (thrown instanceof AppFailure && absent.has(thrown.error.s3?.code ?? '')) return null;
    throw thrown;
  }
}

function readRetention(root: XmlElement): ObjectRetention | null {
  const mode = root.child('Mode')?.trim() ?? '';
  const until = parseTime(root.child('RetainUntilDate'));
  if (mode === '' && until === null) return null;
  if ((mode !== 'GOVERNANCE' && mode !== 'COMPLIANCE') || until === null) {
    throw protocolFailure('unexpected-answer', `The retention of the object cannot be read: "${mode}".`);
  }
  return { mode, until };
}
