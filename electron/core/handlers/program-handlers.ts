import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';
import {
  importConnections,
  readConnectionFile,
  writeConnectionFile,
} from '../connections/connection-file.ts';

export const appHandlers = (os: Implementer, parts: CoreParts) => ({
  info: os.app.info.handler(() => parts.info()),
  watch: os.app.watch.handler(({ signal }) => parts.events.watch(signal)),
  restoreBackup: os.app.restoreBackup.handler(({ input }) => parts.restoreBackup(input.name)),
});

export const s3LinkHandlers = (os: Implementer, { s3Links }: CoreParts) => ({
  take: os.s3Links.take.handler(() => s3Links.take()),
});

export const updateHandlers = (os: Implementer, { updates }: CoreParts) => ({
  status: os.updates.status.handler(() => updates.status()),
  check: os.updates.check.handler(() => updates.check()),
  download: os.updates.download.handler(() => updates.download()),
  cancel: os.updates.cancel.handler(() => updates.cancel()),
  install: os.updates.install.handler(() => updates.install()),
});

export const settingsHandlers = (os: Implementer, { settings, downloadFolder }: CoreParts) => ({
  downloadFolder: os.settings.downloadFolder.handler(() => downloadFolder.get()),
  setDownloadFolder: os.settings.setDownloadFolder.handler(({ input }) =>
    downloadFolder.set(input.folderHandle),
  ),
  get: os.settings.get.handler(() => settings.get()),
  update: os.settings.update.handler(({ input }) => settings.update(input)),
});

export const viewHandlers = (os: Implementer, { view }: CoreParts) => ({
  get: os.view.get.handler(({ input }) => view.get(input.name)),
  set: os.view.set.handler(({ input }) => view.set(input.name, input.value)),
});

export const bookmarkHandlers = (os: Implementer, { bookmarks }: CoreParts) => ({
  list: os.bookmarks.list.handler(() => bookmarks.list()),
  add: os.bookmarks.add.handler(({ input }) => bookmarks.add(input)),
  rename: os.bookmarks.rename.handler(({ input }) => bookmarks.rename(input.bookmarkId, input.name)),
  remove: os.bookmarks.remove.handler(({ input }) => bookmarks.remove(input.bookmarkId)),
  reorder: os.bookmarks.reorder.handler(({ input }) => bookmarks.reorder(input.bookmarkIds)),
});

export const requestLogHandlers = (os: Implementer, { requestLog }: CoreParts) => ({
  list: os.requestLog.list.handler(({ input }) => requestLog.list(input)),
  watch: os.requestLog.watch.handler(({ signal }) => requestLog.watch(signal)),
  export: os.requestLog.export.handler(({ input }) => requestLog.export(input.format)),
  clear: os.requestLog.clear.handler(() => requestLog.clear()),
});

export const priceHandlers = (os: Implementer, { prices }: Pick<CoreParts, 'prices'>) => ({
  of: os.prices.of.handler(({ input }) => prices.of(input.connectionId, input.bucket)),
  shipped: os.prices.shipped.handler(() => prices.shipped()),
  set: os.prices.set.handler(({ input }) => prices.set(input.connectionId, input.list)),
});

export const connectionHandlers = (os: Implementer, parts: CoreParts) => ({
  list: os.connections.list.handler(() => parts.connections.list()),
  create: os.connections.create.handler(({ input }) => parts.connections.create(input)),
  update: os.connections.update.handler(({ input }) =>
    parts.connections.update(input.connectionId, input.input),
  ),
  duplicate: os.connections.duplicate.handler(({ input }) => parts.connections.duplicate(input.connectionId)),
  remove: os.connections.remove.handler(({ input }) => parts.connections.remove(input.connectionId)),
  reorder: os.connections.reorder.handler(({ input }) => parts.connections.reorder(input.connectionIds)),
  restoreSamples: os.connections.restoreSamples.handler(() => parts.connections.restoreSamples()),
  sampleService: os.connections.sampleService.handler(() => parts.sampleService()),
  exportFile: os.connections.exportFile.handler(() =>
    writeConnectionFile(parts.connections, parts.ports.clock.nowMs()),
  ),
  readFile: os.connections.readFile.handler(async ({ input }) =>
    (await readConnectionFile(parts.connections, input.text)).map(({ entry }) => entry),
  ),
  importFile: os.connections.importFile.handler(({ input }) =>
    importConnections(parts.connections, input.text, input.indexes),
  ),
  awsProfiles: os.connections.awsProfiles.handler(() => parts.awsProfiles()),
  test: os.connections.test.handler(({ input, signal }) =>
    parts.testConnection(input.connectionId, input.input, signal),
  ),
});
