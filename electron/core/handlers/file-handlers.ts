import type { QueueParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const fileHandlers = (os: Implementer, { files, dropped }: QueueParts) => ({
  roots: os.files.roots.handler(() => files.roots()),
  list: os.files.list.handler(({ input }) => files.list(input)),
  makeFolder: os.files.makeFolder.handler(({ input }) => files.makeFolder(input)),
  rename: os.files.rename.handler(({ input }) => files.rename(input)),
  remove: os.files.remove.handler(({ input }) => files.remove(input)),
  reveal: os.files.reveal.handler(({ input }) => files.reveal(input.handle)),
  save: os.files.save.handler(({ input, signal }) => files.save(input, signal)),
  pick: os.files.pick.handler(({ input }) => files.pick(input)),
  receive: os.files.receive.handler(({ input }) => dropped.receive(input)),
  receiveBatch: os.files.receiveBatch.handler(({ input }) => dropped.receiveBatch(input)),
  droppedEntries: os.files.droppedEntries.handler(({ input }) => dropped.entriesOf(input.dropHandle)),
  discard: os.files.discard.handler(({ input }) => dropped.discard(input.handle)),
});
