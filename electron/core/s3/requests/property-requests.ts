import type { Executor } from '../http/executor.ts';
import type { S3Client } from '../model/s3-client.ts';
import { repeatable } from '../http/s3-operation.ts';
import type { Grant, ObjectAcl } from '../model/property-types.ts';
import type { ObjectRef } from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { readOwner } from '../xml/listing-response.ts';
import { textOrNull, type XmlElement } from '../xml/parse.ts';
import { propertyOf } from './attribute-headers.ts';
import { xmlRequest, escapeXml } from '../xml/render.ts';
import { AppFailure, failure } from '../../../../shared/errors.ts';

/** Implements the requests for ACLs (https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html). */
export function aclOperations(executor: Executor) {
  const put = (
    ref: ObjectRef,
    request: { readonly headers: Readonly<Record<string, string>>; readonly body?: Buffer },
    options: RequestOptions | undefined,
  ): Promise<void> =>
    executor.apply(
      repeatable({ name: 'PutObjectAcl', method: 'PUT', ...propertyOf(ref, 'acl'), ...request }),
      options,
    );
  return {
    async getObjectAcl(ref, options) {
      return await executor.execute(
        repeatable({ name: 'GetObjectAcl', method: 'GET', ...propertyOf(ref, 'acl') }),
        options,
        async (response) => {
          const root = await response.xml('AccessControlPolicy');
          return {
            owner: readOwner(root.first('Owner')),
            grants: root
              .all('AccessControlList')
              .flatMap((list) => list.all('Grant'))
              .flatMap(readGrant),
          };
        },
      );
    },

    putObjectAcl: (input, options) => put(input, { headers: { 'x-amz-acl': input.canned } }, options),

    putObjectGrants: (input, options) =>
      put(input, xmlRequest('AccessControlPolicy', aclContent(input.acl)), options),
  } satisfies Partial<S3Client>;
}

/** Renders the body of PutObjectAcl (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectAcl.html). */
function aclContent({ owner, grants }: ObjectAcl): string {
  const rendered = grants.map(
    ({ grantee, permission }) =>
      `<Grant>${granteeElement(grantee)}${element('Permission', permission)}</Grant>`,
  );
  const ofOwner = element('ID', owner?.id ?? null) + element('DisplayName', owner?.displayName ?? null);
  return `<Owner>${ofOwner}</Owner><AccessControlList>${rendered.join('')}</AccessControlList>`;
}

function granteeElement(grantee: Grant['grantee']): string {
  switch (grantee.kind) {
    case 'user':
      return typed('CanonicalUser', element('ID', grantee.id) + element('DisplayName', grantee.displayName));
    case 'group':
      return typed('Group', element('URI', grantee.uri));
    case 'email':
      return typed('AmazonCustomerByEmail', element('EmailAddress', grantee.address));
    default:
      return grantee satisfies never;
  }
}

function typed(type: string, content: string): string {
  const schema = 'http://www.w3.org/2001/XMLSchema-instance';
  return `<Grantee xmlns:xsi="${schema}" xsi:type="${type}">${content}</Grantee>`;
}

function element(name: string, text: string | null): string {
  return text === null ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}

/** Reads a grant. The child elements show the kind of grantee, so the attribute is not needed. */
function readGrant(entry: XmlElement): readonly Grant[] {
  const grantee = entry.first('Grantee');
  const permission = entry.child('Permission');
  if (grantee === null || permission === null) return [];
  const uri = textOrNull(grantee.child('URI'));
  if (uri !== null) return [{ grantee: { kind: 'group', uri }, permission }];
  const id = textOrNull(grantee.child('ID'));
  if (id !== null) {
    const displayName = textOrNull(grantee.child('DisplayName'));
    return [{ grantee: { kind: 'user', id, displayName }, permission }];
  }
  const address = textOrNull(grantee.child('EmailAddress'));
  return address === null ? [] : [{ grantee: { kind: 'email', address }, permission }];
}

/** Implements the requests for object tags (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html). */
export function taggingOperations(executor: Executor) {
  return {
    async getObjectTags(ref, options) {
      try {
        return await executor.execute(
          repeatable({ name: 'GetObjectTagging', method: 'GET', ...propertyOf(ref, 'tagging') }),
          options,
          async (response) =>
            // Ceph RGW sends an empty body for an object that was uploaded in parts and has no tags.
            ((await response.xmlOrNothing('Tagging'))?.all('TagSet') ?? [])
              .flatMap((set) => set.all('Tag'))
              .map((tag) => ({ key: tag.child('Key') ?? '', value: tag.child('Value') ?? '' })),
        );
      } catch (thrown) {
        // Some servers respond with an error for an object without tags.
        if (thrown instanceof AppFailure && thrown.error.s3?.code === 'NoSuchTagSet') return [];
        throw thrown;
      }
    },

    async putObjectTags(input, options) {
      const tags = input.tags
        .map(({ key, value }) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`)
        .join('');
      const isRemoval = input.tags.length === 0 && input.asEmptySet !== true;
      await executor.apply(
        repeatable({
          name: isRemoval ? 'DeleteObjectTagging' : 'PutObjectTagging',
          method: isRemoval ? 'DELETE' : 'PUT',
          ...propertyOf(input, 'tagging'),
          ...(isRemoval ? {} : xmlRequest('Tagging', `<TagSet>${tags}</TagSet>`)),
        }),
        options,
      );
    },
  } satisfies Partial<S3Client>;
}

/** The storage classes in the specification: "one of STANDARD, COLD" (section 2). */
const specifiedClasses = ['STANDARD', 'COLD'];

/**
 * Implements the requests for archived objects. RestoreObject responds with 202 if it starts a restore, and with 200 if a
 * restored copy exists (https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html).
 */
export function restoreOperations(executor: Executor) {
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
          repeatable({
            name: 'RestoreObject',
            method: 'POST',
            ...propertyOf(input, 'restore'),
            ...xmlRequest('RestoreRequest', `<Days>${String(input.days)}</Days>${tier}`),
          }),
          options,
          async (response) => {
            await response.done();
            return response.status === 202 ? 'started' : 'prolonged';
          },
        );
      } catch (thrown) {
        throw explained(thrown);
      }
    },
  } satisfies Partial<S3Client>;
}

/** Converts two errors that mean something else here than when reading an object. */
function explained(thrown: unknown): unknown {
  if (!(thrown instanceof AppFailure)) return thrown;
  const { s3, message, outcome } = thrown.error;
  if (s3?.code === 'InvalidObjectState') {
    return failure('invalid-argument', message, { reason: 'not-archived', outcome, s3, cause: thrown });
  }
  if (s3?.code === 'RestoreAlreadyInProgress') {
    return failure('conflict', message, { reason: 'restore-in-progress', outcome, s3, cause: thrown });
  }
  return thrown;
}
