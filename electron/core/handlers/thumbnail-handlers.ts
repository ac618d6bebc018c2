import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const thumbnailHandlers = (os: Implementer, { thumbnails }: CoreParts) => ({
  find: os.thumbnails.find.handler(({ input }) => thumbnails.find(input)),
  keep: os.thumbnails.keep.handler(({ input: { contentBase64, ...object } }) =>
    thumbnails.keep(object, Buffer.from(contentBase64, 'base64')),
  ),
  use: os.thumbnails.use.handler(() => thumbnails.use()),
  clear: os.thumbnails.clear.handler(() => thumbnails.clear()),
});
