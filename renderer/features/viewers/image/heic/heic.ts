// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../../libraries.d.ts" />
import load from 'libheif-js/libheif-wasm/libheif.js';
import { maxPixels, type ImageResponse } from '../worker/image-messages.ts';
import { withMemoryLimit } from '../../frame/wasm.ts';

/** Limit of the decoder's memory, 768 MiB: enough for the file and for `maxPixels`, both decoded and converted to RGBA. */
export const maxMemoryPages = 12_288;

const damaged: ImageResponse = { kind: 'damaged' };

/**
 * Decodes the main image of a HEIC and rotates it as the file says. Limits the decoder's memory, since a file may claim any size.
 * Throws if the decoder breaks.
 */
export async function decodeHeic(bytes: Uint8Array<ArrayBuffer>, wasm: Uint8Array): Promise<ImageResponse> {
  const library = load({ wasmBinary: withMemoryLimit(wasm, maxMemoryPages), print: drop, printErr: drop });
  const context = library.heif_context_alloc();
  const read = library.heif_context_read_from_memory(context, bytes);
  if (read.code !== library.heif_error_code.heif_error_Ok) return damaged;
  const handle = library.heif_js_context_get_primary_image_handle(context);
  if (handle === null || handle.code !== undefined) return damaged;
  const width = library.heif_image_handle_get_width(handle);
  const height = library.heif_image_handle_get_height(handle);
  if (!(width >= 1 && height >= 1)) return damaged;
  if (width * height > maxPixels) return { kind: 'too-many-pixels', width, height };
  const { heif_colorspace: colors, heif_chroma: chroma } = library;
  const decoded = await library.heif_js_decode_image2(
    handle,
    colors.heif_colorspace_RGB,
    chroma.heif_chroma_interleaved_RGBA,
  );
  const channel = 'channels' in decoded ? decoded.channels[0] : undefined;
  if (channel?.width !== width || channel.height !== height) return damaged;
  const { data, stride } = channel;
  const rowBytes = width * 4;
  if (stride < rowBytes || data.length < stride * (height - 1) + rowBytes) return damaged;
  const rgba = new Uint8ClampedArray(rowBytes * height);
  for (let row = 0; row < height; row += 1)
    rgba.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  return { kind: 'picture', picture: { width, height, pages: 1, rgba } };
}

/** Discards the decoder's messages about damaged files. */
function drop(_line: string): void {}
