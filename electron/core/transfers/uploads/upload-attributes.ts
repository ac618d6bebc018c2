import type { Encryption, UploadOptions } from '../../../../shared/models/transfers.ts';
import type { ObjectAttributes } from '../../s3/model/object-types.ts';
import { encryptionHeaders } from '../../s3/model/encryption-headers.ts';
import { contentTypeOf } from '../../s3/model/content-type.ts';
import { mtimeName, mtimeText } from '../items/mtime.ts';

/** Returns the attributes for an uploaded file: the user's choices, and the file's modification time in rclone's form. */
export function uploadAttributes(options: UploadOptions, key: string, mtimeNs: string): ObjectAttributes {
  return {
    contentType: options.contentType ?? contentTypeOf(key),
    ...(options.cacheControl === null ? {} : { cacheControl: options.cacheControl }),
    ...(options.storageClass === null ? {} : { storageClass: options.storageClass }),
    metadata: { [mtimeName]: mtimeText(BigInt(mtimeNs)), ...options.metadata },
    ...besides(options),
  };
}

/** Returns the attributes for a folder's placeholder: the type of a directory, and the tags and encryption chosen for files. */
export function markerAttributes(options: UploadOptions): ObjectAttributes {
  return { contentType: 'application/x-directory', ...besides(options) };
}

/** Returns true if ETags are no MD5s under this encryption, as with KMS and customers' keys. */
export function hidesMd5({ kind }: Encryption): boolean {
  return kind === 'kms' || kind === 'customer';
}

function besides({
  tags,
  encryption,
}: UploadOptions): Pick<ObjectAttributes, 'headers' | 'customerKeyMd5' | 'isEncryptionChosen'> {
  const headers = { ...encryptionHeaders(encryption), ...taggingHeader(tags) };
  return {
    isEncryptionChosen: true,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(encryption.kind === 'customer' ? { customerKeyMd5: encryption.keyMd5 } : {}),
  };
}

/** Returns the header with the tags as a query string, which can encode characters that are not allowed in headers. */
function taggingHeader(tags: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(tags).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? {} : { 'x-amz-tagging': pairs.join('&') };
}
