import { linkInputSchema, linkSchema } from '../models/links.ts';
import { base } from './base.ts';

export const links = {
  /**
   * An address of an object that works without keys. Whoever has it can use it until it ends, so it is written to no log.
   * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
   */
  create: base.input(linkInputSchema).output(linkSchema),
};
