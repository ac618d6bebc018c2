import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

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
