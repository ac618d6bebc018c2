import { failure } from '../../../../shared/errors.ts';
import { maxThumbnailBytes } from '../../../../shared/models/thumbnails.ts';
import { base64Of, bytesOfBase64 } from '../../../rpc/base64.ts';
import { rpc } from '../../../rpc/client.ts';
import { imageTypeOf } from '../image/parts/image-type.ts';
import { ThumbnailLoader } from './thumbnail-loader.ts';
import { createThumbnailMaker } from './thumbnail-maker.ts';

/** Milliseconds that a tile has to stay visible before its thumbnail is requested. */
const restMs = 90;

let loader: ThumbnailLoader | null = null;

/** Returns the loader, or null until a thumbnail has been shown. */
export function currentLoader(): ThumbnailLoader | null {
  return loader;
}

/** Returns the loader of this window's thumbnails. `imageBytes` is the limit with which the first call creates it. */
export function thumbnailLoader(imageBytes: number): ThumbnailLoader {
  loader ??= new ThumbnailLoader(
    {
      find: async (object, signal) => await rpc.thumbnails.find(object, { signal }),
      keep: async (object, picture) => {
        if (picture.size > maxThumbnailBytes) return;
        await rpc.thumbnails.keep({ ...object, contentBase64: await base64Of(picture) });
      },
      read: readBytes,
      make: createThumbnailMaker(),
      addressOf: (picture) => URL.createObjectURL(picture),
      release: (address) => URL.revokeObjectURL(address),
      pictureOf,
      afterRest: (run) => setTimeout(run, restMs),
      report: reportError,
    },
    imageBytes,
  );
  return loader;
}

async function readBytes(
  path: string,
  offset: number,
  lengthBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { range: `bytes=${String(offset)}-${String(offset + lengthBytes - 1)}` };
  const response = await fetch(path, { headers, signal, cache: 'no-store' });
  if (response.status !== 206) {
    await response.body?.cancel();
    throw failure('server', `The bytes could not be fetched (HTTP ${String(response.status)}).`);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length !== lengthBytes)
    throw failure(
      'damaged',
      `${String(bytes.length)} bytes were received instead of ${String(lengthBytes)}.`,
    );
  return bytes;
}

/** Returns a cached thumbnail. Throws AppError('damaged') if its bytes are not a raster image. */
function pictureOf(contentBase64: string): Blob {
  const bytes = bytesOfBase64(contentBase64);
  const type = imageTypeOf(bytes);
  if (type === null || type === 'image/svg+xml') throw failure('damaged', 'The kept thumbnail is no image.');
  return new Blob([bytes], { type });
}
