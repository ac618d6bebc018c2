import type { QueueParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const operationHandlers = (os: Implementer, { operations, undos }: QueueParts) => ({
  createFolder: os.operations.createFolder.handler(({ input, signal }) =>
    operations.createFolder(input, signal),
  ),
  copy: os.operations.copy.handler(({ input }) => operations.copy(input)),
  rename: os.operations.rename.handler(({ input }) => operations.rename(input)),
  renameMany: os.operations.renameMany.handler(({ input }) => operations.renameMany(input, input.names)),
  delete: os.operations.delete.handler(({ input }) =>
    operations.delete(input, input.items, input.versions, input.withBucket),
  ),
  restore: os.operations.restore.handler(({ input }) => operations.restore(input, input.items)),
  undoState: os.operations.undoState.handler(() => undos.state()),
  undo: os.operations.undo.handler(({ input }) => undos.undo(input.id)),
  change: os.operations.change.handler(({ input }) => operations.change(input, input.items, input.patch)),
});
