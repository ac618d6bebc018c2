import { AppFailure } from '../../../shared/errors.ts';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { Link, LinkInput } from '../../../shared/models/links.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

export interface Links {
  create(input: LinkInput): Promise<Link>;
}

/** Creates presigned links to objects, which are neither logged nor stored. */
export function createLinks(deps: { readonly client: (connectionId: string) => Promise<S3Client> }): Links {
  return {
    create: async (input) => {
      const client = await deps.client(input.connectionId);
      const { bucket, key, versionId } = input;
      const ref = versionId === undefined ? { bucket, key } : { bucket, key, versionId };
      if (input.kind === 'plain') return { url: client.objectUrl(ref), expiresAt: null, endsWith: 'never' };
      const isRead = input.kind === 'get';
      try {
        return await client.presign({
          ...ref,
          method: isRead ? 'GET' : 'PUT',
          expiresInSeconds: input.expiresInSeconds,
          ...(isRead && input.disposition !== null
            ? { responseDisposition: linkDisposition(input.disposition, key) }
            : {}),
          ...(isRead && input.contentType !== null && input.contentType !== ''
            ? { responseType: input.contentType }
            : {}),
        });
      } catch (thrown) {
        if (!(thrown instanceof AppFailure) || thrown.error.code !== 'unsupported') throw thrown;
        return { url: client.objectUrl(ref), expiresAt: null, endsWith: 'anonymous' };
      }
    },
  };
}

/** Returns a Content-Disposition with the last segment of the key (RFC 6266, section 4.1; RFC 8187 for non-ASCII names). */
function linkDisposition(type: 'inline' | 'attachment', key: string): string {
  const name = lastSegment(key).toWellFormed();
  if (name === '') return type;
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%/]/g, '_');
  if (plain === name) return `${type}; filename="${plain}"`;
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
