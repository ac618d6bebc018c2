import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import { uploadPages } from '../multipart/list-uploads.ts';
import type { ListMultipartUploadsPage } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

export interface PermittedOptions {
  /** The place that the connection starts at. */
  readonly start: StartPlace | null;
  readonly setsAside?: boolean;
  /** Called if the whole place may not be listed and only the start within it is read. */
  readonly onDenied: (error: AppError) => void;
}

/**
 * Lists the uploads of a place. A key whose policy allows one prefix may not list the bucket: if listing is denied, the part
 * that the connection starts at is listed. A start such as `team` may mean the folder `team/`, which alone is allowed.
 */
export async function* permittedPages(
  client: S3Client,
  { bucket, prefix }: StartPlace,
  signal: AbortSignal,
  { start, setsAside = false, onDenied }: PermittedOptions,
): AsyncGenerator<ListMultipartUploadsPage> {
  const narrower =
    start?.bucket === bucket
      ? [start.prefix, `${start.prefix}/`].filter((each) => each !== prefix && each.startsWith(prefix))
      : [];
  for (const [at, each] of [prefix, ...narrower].entries())
    try {
      yield* uploadPages(client, bucket, each, signal, { setsAside });
      return;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'access-denied' || at === narrower.length) throw thrown;
      onDenied(error);
    }
}
