import type { Encryption, UploadOptions } from '../../../../shared/models/transfers.ts';
import type { ObjectAttributes } from '../../s3/model/object-types.ts';
import { encryptionHeaders, taggingHeader } from '../../s3/requests/attribute-headers.ts';
import { contentTypeOf } from '../../s3/model/content-type.ts';
import { mtimeName, mtimeText } from '../items/mtime.ts';

/** Returns the attributes of an uploaded file: the user's choices, and the file's modification time in rclone's format. */
export function uploadAttributes(options: UploadOptions, key: string, mtimeNs: string): ObjectAttributes {
  return {
    contentType: options.contentType ?? contentTypeOf(key),
    ...(options.cacheControl === null ? {} : { cacheControl: options.cacheControl }),
    ...(options.storageClass === null ? {} : { storageClass: options.storageClass }),
    metadata: { [mtimeName]: mtimeText(BigInt(mtimeNs)), ...options.metadata },
    ...besides(options),
  };
}

/**
 * Returns the attributes of a folder's placeholder: the content type of a directory, and the tags and encryption chosen for
 * files.
 */
export function markerAttributes(options: UploadOptions): ObjectAttributes {
  return { contentType: 'application/x-directory', ...besides(options) };
}

/** Returns true if ETags are not MD5s under this encryption: with KMS and with the user's own key. */
export function hidesMd5({ kind }: Encryption): boolean {
  return kind === 'kms' || kind === 'customer';
}

function besides({
  tags,
  encryption,
}: UploadOptions): Pick<ObjectAttributes, 'headers' | 'customerKeyMd5' | 'isEncryptionChosen'> {
  const pairs = Object.entries(tags).map(([key, value]) => ({ key, value }));
  const headers = { ...encryptionHeaders(encryption), ...taggingHeader(pairs) };
  return {
    isEncryptionChosen: true,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(encryption.kind === 'customer' ? { customerKeyMd5: encryption.keyMd5 } : {}),
  };
}
