import { failure, toAppError } from '../../../../shared/errors.ts';
import type { ObjectAttributes, ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import { metadataHeaders, missingMetadata } from '../../s3/requests/attribute-headers.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { ObjectTag } from '../../s3/model/property-types.ts';
import { customerKeyAttribute } from './encryption.ts';
import type { Absent } from './operation-deps.ts';

const copiedHeaders = ['expires', 'x-amz-website-redirect-location'] as const;
const encryptionHeaders = [
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-server-side-encryption-bucket-key-enabled',
] as const;

/**
 * Returns the attributes that give a copy the same description. Metadata is kept byte for byte as received. Throws
 * `metadata-missing` if the object has metadata that HEAD cannot return, because the copy would lose it.
 */
export function attributesOfHead(
  head: ObjectHead,
  keep: { readonly storageClass: boolean; readonly encryption: boolean },
): ObjectAttributes {
  const { headers } = head;
  if (missingMetadata(headers) > 0)
    throw failure('unsupported', 'The object has metadata that the service cannot return in headers.', {
      reason: 'metadata-missing',
    });
  const extra = {
    ...headersOf(head, copiedHeaders),
    ...metadataHeaders(headers),
    ...(keep.encryption ? encryptionOfHead(head) : {}),
  };
  const plain = {
    contentType: head.contentType ?? undefined,
    cacheControl: headers['cache-control'],
    contentDisposition: headers['content-disposition'],
    contentEncoding: headers['content-encoding'],
    contentLanguage: headers['content-language'],
    storageClass: keep.storageClass ? (head.storageClass ?? undefined) : undefined,
  };
  const known: Partial<Record<keyof typeof plain, string>> = {};
  for (const [name, value] of Object.entries(plain) as [keyof typeof plain, string | undefined][])
    if (value !== undefined) known[name] = value;
  return { ...known, ...(keep.encryption ? customerKeyAttribute(head) : {}), headers: extra };
}

/** Returns the headers that request the same encryption for a copy in the same bucket (API_CopyObject). */
export function encryptionOfHead(head: Pick<ObjectHead, 'headers'>): Readonly<Record<string, string>> {
  return headersOf(head, encryptionHeaders);
}

function headersOf(
  { headers }: Pick<ObjectHead, 'headers'>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Reads the tags of an object; empty if the service does not support tags. */
export async function tagsOf(
  client: S3Client,
  ref: ObjectRef,
  absent: Pick<Absent, 'tags'>,
  signal: AbortSignal,
): Promise<readonly ObjectTag[]> {
  if (absent.tags) return [];
  try {
    return await client.getObjectTags(ref, { signal });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'unsupported') throw thrown;
    absent.tags = true;
    return [];
  }
}
