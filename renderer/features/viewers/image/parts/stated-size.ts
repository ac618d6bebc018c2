import { imageSize } from 'image-size';
import type { Size } from './orientation.ts';

/** Returns the size that the header of an image states, or null if the header is unreadable. */
export function statedSize(bytes: Uint8Array): Size | null {
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height } : null;
  } catch {
    // The library throws arbitrary errors for damaged files.
    return null;
  }
}
