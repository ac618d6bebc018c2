import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const bucketSettingsHandlers = (os: Implementer, { bucketManager, bucketSettings }: CoreParts) => ({
  create: os.bucketSettings.create.handler(({ input }) =>
    bucketManager.create(input.connectionId, input.bucket),
  ),
  remove: os.bucketSettings.remove.handler(({ input }) => bucketManager.remove(input)),
  contents: os.bucketSettings.contents.handler(({ input, signal }) => bucketManager.contents(input, signal)),
  uploads: os.bucketSettings.uploads.handler(({ input, signal }) => bucketManager.uploads(input, signal)),
  read: os.bucketSettings.read.handler(({ input, signal }) => bucketSettings.read(input, signal)),
  compose: os.bucketSettings.compose.handler(({ input }) => ({ text: bucketSettings.compose(input.form) })),
  check: os.bucketSettings.check.handler(({ input }) => ({ problems: [...bucketSettings.check(input)] })),
  save: os.bucketSettings.save.handler(({ input }) => bucketSettings.save(input)),
  clear: os.bucketSettings.clear.handler(({ input }) => bucketSettings.clear(input)),
});
