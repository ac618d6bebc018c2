import type { CoreParts } from './core-parts.ts';
import { never, type Implementer } from './implementer.ts';

export const versionHandlers = (os: Implementer, { versions }: CoreParts) => ({
  status: os.versions.status.handler(({ input, signal }) => versions.status(input, signal)),
  deleted: os.versions.deleted.handler(({ input, signal }) => versions.deleted(input, signal)),
  list: os.versions.list.handler(({ input, signal }) => versions.list(input, signal)),
  restore: os.versions.restore.handler(({ input }) => versions.restore(input)),
  unlisted: os.versions.unlisted.handler(({ input, signal }) => versions.unlisted(input, signal ?? never)),
  remove: os.versions.remove.handler(({ input }) => versions.remove(input)),
});

export const propertyHandlers = (os: Implementer, { properties }: CoreParts) => ({
  read: os.properties.read.handler(({ input, signal }) => properties.read(input, signal)),
  storageClasses: os.properties.storageClasses.handler(({ input }) =>
    properties.storageClasses(input.connectionId),
  ),
  acl: os.properties.acl.handler(({ input, signal }) => properties.acl(input, signal)),
  setAcl: os.properties.setAcl.handler(({ input }) => properties.setAcl(input)),
  lock: os.properties.lock.handler(({ input, signal }) => properties.lock(input, signal)),
  setRetention: os.properties.setRetention.handler(({ input }) => properties.setRetention(input)),
  setLegalHold: os.properties.setLegalHold.handler(({ input }) => properties.setLegalHold(input)),
  restore: os.properties.restore.handler(({ input }) => properties.restore(input)),
});

export const editHandlers = (os: Implementer, { edits }: CoreParts) => ({
  list: os.edits.list.handler(() => edits.list()),
  open: os.edits.open.handler(({ input }) => edits.open(input)),
  save: os.edits.save.handler(({ input }) => edits.save(input)),
  overwrite: os.edits.overwrite.handler(({ input }) => edits.overwrite(input.editId)),
  retry: os.edits.retry.handler(({ input }) => edits.retry(input.editId)),
  discard: os.edits.discard.handler(({ input }) => edits.discard(input.editId)),
});

export const linkHandlers = (os: Implementer, { links }: CoreParts) => ({
  create: os.links.create.handler(({ input }) => links.create(input)),
});

export const thumbnailHandlers = (os: Implementer, { thumbnails }: CoreParts) => ({
  find: os.thumbnails.find.handler(({ input }) => thumbnails.find(input)),
  keep: os.thumbnails.keep.handler(({ input: { contentBase64, ...object } }) =>
    thumbnails.keep(object, Buffer.from(contentBase64, 'base64')),
  ),
  use: os.thumbnails.use.handler(() => thumbnails.use()),
  clear: os.thumbnails.clear.handler(() => thumbnails.clear()),
});

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

export const bucketHandlers = (os: Implementer, { browse }: CoreParts) => ({
  list: os.buckets.list.handler(({ input, signal }) => browse.buckets(input.connectionId, signal)),
  remember: os.buckets.remember.handler(({ input }) => browse.remember(input)),
  forget: os.buckets.forget.handler(({ input }) => browse.forget(input)),
});

export const objectHandlers = (os: Implementer, { browse, walks }: CoreParts) => ({
  list: os.objects.list.handler(({ input, signal }) => browse.folder(input, signal)),
  rest: os.objects.rest.handler(({ input, signal }) => walks.restOfFolder(input, signal ?? never)),
  details: os.objects.details.handler(({ input, signal }) => browse.details(input, signal)),
  addresses: os.objects.addresses.handler(({ input }) => browse.addresses(input)),
  file: os.objects.file.handler(({ input, signal }) => browse.file(input, signal)),
  offer: os.objects.offer.handler(({ input: { ticket, ...ref } }) => browse.offer(ref, ticket)),
  preview: os.objects.preview.handler(({ input, signal }) => browse.preview(input, signal)),
});

export const inventoryHandlers = (os: Implementer, { inventory }: Pick<CoreParts, 'inventory'>) => ({
  reports: os.inventory.reports.handler(({ input, signal }) => inventory.reports(input, signal)),
  look: os.inventory.look.handler(({ input, signal }) => inventory.look(input, signal)),
  open: os.inventory.open.handler(({ input, signal }) => inventory.open(input, signal)),
});

export const mapHandlers = (os: Implementer, { maps }: Pick<CoreParts, 'maps'>) => ({
  open: os.map.open.handler(async ({ input: { refresh, ...place } }) => ({
    mapId: await maps.open(place, refresh),
  })),
  watch: os.map.watch.handler(({ input, signal }) => maps.watch(input.mapId, signal ?? never)),
  tree: os.map.tree.handler(({ input }) => maps.tree(input)),
  rows: os.map.rows.handler(({ input }) => maps.rows(input)),
  facts: os.map.facts.handler(({ input }) => maps.facts(input)),
  holdings: os.map.holdings.handler(({ input }) => maps.holdings(input)),
  holdingsOf: os.map.holdingsOf.handler(({ input: { folders, smallest, ...place } }) =>
    maps.holdingsOf(place, folders, smallest),
  ),
  duplicates: os.map.duplicates.handler(({ input }) => maps.duplicates(input.mapId, input.folder)),
  export: os.map.export.handler(({ input, signal }) => maps.export(input, signal ?? never)),
  stop: os.map.stop.handler(({ input }) => maps.stop(input.mapId)),
  close: os.map.close.handler(({ input }) => maps.close(input.mapId)),
  list: os.map.list.handler(({ input }) => maps.list(input)),
  totals: os.map.totals.handler(({ input }) => maps.totals(input.connectionId)),
  sizes: os.map.sizes.handler(({ input: { folders, ...place } }) => maps.sizes(place, folders)),
  find: os.map.find.handler(({ input, signal }) => maps.find(input, signal ?? never)),
  changes: os.map.changes.handler(({ input }) => maps.changes(input)),
  forget: os.map.forget.handler(({ input }) => maps.forget(input.connectionId, input.bucket)),
  usage: os.map.usage.handler(() => maps.usage()),
});

export const walkHandlers = (os: Implementer, { walks, maps }: Pick<CoreParts, 'walks' | 'maps'>) => ({
  start: os.walks.start.handler(async ({ input: { fromCatalogue = false, ...input } }) => {
    const storedKeys = fromCatalogue ? await maps.storedKeys(input) : null;
    return { walkId: walks.start(input, storedKeys ?? undefined) };
  }),
  watch: os.walks.watch.handler(({ input, signal }) => walks.watch(input.walkId, signal ?? never)),
  list: os.walks.list.handler(() => walks.list()),
  read: os.walks.read.handler(({ input: { walkId, sort, ...range } }) => walks.read(walkId, range, sort)),
  present: os.walks.present.handler(async ({ input }) => [
    ...(await walks.present(input.walkId, input.keys)),
  ]),
  children: os.walks.children.handler(({ input: { walkId, sort, ...range } }) =>
    walks.children(walkId, range, sort),
  ),
  holdings: os.walks.holdings.handler(async ({ input }) => [
    ...(await walks.holdings(input.walkId, input.smallest)),
  ]),
  stop: os.walks.stop.handler(({ input }) => walks.stop(input.walkId)),
  close: os.walks.close.handler(({ input }) => walks.closeWalk(input.walkId)),
  manifest: os.walks.manifest.handler(({ input, signal }) => walks.manifest(input, signal ?? never)),
  export: os.walks.export.handler(({ input, signal }) => walks.export(input, signal ?? never)),
});
