import {
  importConnections,
  readConnectionFile,
  writeConnectionFile,
} from '../connections/connection-file.ts';
import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

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
