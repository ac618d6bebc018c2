import { z } from 'zod';
import {
  foundThumbnailSchema,
  madeThumbnailSchema,
  thumbnailObjectSchema,
  thumbnailUseSchema,
} from '../models/thumbnails.ts';
import { base } from './base.ts';

/** Small pictures of objects. A window makes them; the core keeps them on disk. */
export const thumbnails = {
  /** The kept thumbnail, or where to read what it is made of. Asks the service for nothing. */
  find: base.input(thumbnailObjectSchema).output(foundThumbnailSchema),
  /** Those of objects that may be encrypted with a customer's key are not kept. */
  keep: base.input(madeThumbnailSchema).output(z.void()),
  use: base.output(thumbnailUseSchema),
  clear: base.output(z.void()),
};
