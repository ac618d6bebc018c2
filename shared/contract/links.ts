import { linkInputSchema, linkSchema } from '../models/links.ts';
import { base } from './base.ts';

export const links = {
  /**
   * Creates a URL that gives access to an object without credentials. Anyone can use the URL until it expires, so it is never
   * logged. https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
   */
  create: base.input(linkInputSchema).output(linkSchema),
};
