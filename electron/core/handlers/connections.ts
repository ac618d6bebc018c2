import type { CoreParts } from '../core-parts.ts';
import type { Implementer } from './implementer.ts';

export const connectionHandlers = (
  os: Implementer,
  { connections, awsProfiles, testConnection }: CoreParts,
) => ({
  list: os.connections.list.handler(() => connections.list()),
  create: os.connections.create.handler(({ input }) => connections.create(input)),
  update: os.connections.update.handler(({ input }) => connections.update(input.connectionId, input.input)),
  duplicate: os.connections.duplicate.handler(({ input }) => connections.duplicate(input.connectionId)),
  remove: os.connections.remove.handler(({ input }) => connections.remove(input.connectionId)),
  reorder: os.connections.reorder.handler(({ input }) => connections.reorder(input.connectionIds)),
  restoreSamples: os.connections.restoreSamples.handler(() => connections.restoreSamples()),
  awsProfiles: os.connections.awsProfiles.handler(() => awsProfiles()),
  test: os.connections.test.handler(({ input, signal }) =>
    testConnection(input.connectionId, input.input, signal),
  ),
});
