import { z } from 'zod';
import {
  foundThumbnailSchema,
  madeThumbnailSchema,
  thumbnailObjectSchema,
  thumbnailUseSchema,
} from '../models/thumbnails.ts';
import { base } from './base.ts';

/** Thumbnails of objects. A window makes them, and the core stores them on disk. */
export const thumbnails = {
  /** Returns the stored thumbnail, or the path to read the object from. Sends no request to the service. */
  find: base.input(thumbnailObjectSchema).output(foundThumbnailSchema),
  /** Stores a thumbnail, unless the object may be encrypted with a customer's key. */
  keep: base.input(madeThumbnailSchema).output(z.void()),
  use: base.output(thumbnailUseSchema),
  clear: base.output(z.void()),
};
