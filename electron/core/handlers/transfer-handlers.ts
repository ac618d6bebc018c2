import type { CoreParts, QueueParts } from './core-parts.ts';
import { never, type Implementer } from './implementer.ts';

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

export const batchHandlers = (
  os: Implementer,
  { batches, bucketSettings }: Pick<CoreParts, 'batches' | 'bucketSettings'>,
) => ({
  create: os.batches.create.handler(({ input, signal }) => batches.create(input, signal ?? never)),
  confirm: os.batches.confirm.handler(({ input }) => batches.confirm(input.jobId)),
  expiryRule: os.batches.expiryRule.handler(({ input, signal }) =>
    bucketSettings.expiryRule(input, input.tag, input.days, signal),
  ),
});

export const syncHandlers = (os: Implementer, { syncs }: Pick<CoreParts, 'syncs'>) => ({
  plan: os.sync.plan.handler(({ input }) => syncs.plan(input)),
  watch: os.sync.watch.handler(({ input, signal }) => syncs.watch(input.planId, signal ?? never)),
  read: os.sync.read.handler(({ input: { planId, filter, offset, limit } }) =>
    syncs.read(planId, filter, offset, limit),
  ),
  stop: os.sync.stop.handler(({ input }) => syncs.stop(input.planId)),
  run: os.sync.run.handler(({ input: { planId, withDeletions, confirmCount } }) =>
    syncs.run(planId, withDeletions, confirmCount),
  ),
  close: os.sync.close.handler(({ input }) => syncs.closePlan(input.planId)),
});

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

export const transferHandlers = (
  os: Implementer,
  { transfers, uploadDefaults, customerKeys, downloadResults, walks }: QueueParts & Pick<CoreParts, 'walks'>,
) => ({
  upload: os.transfers.upload.handler(({ input }) => transfers.upload(input)),
  download: os.transfers.download.handler(({ input }) => transfers.download(input)),
  fetchForDrag: os.transfers.fetchForDrag.handler(({ input }) => transfers.fetchForDrag(input)),
  items: os.transfers.items.handler(({ input }) =>
    transfers.items(input.jobId, input.filter, input.offset, input.limit),
  ),
  storedParts: os.transfers.storedParts.handler(({ input }) => transfers.storedParts(input.jobId)),
  cancelAndDeleteParts: os.transfers.cancelAndDeleteParts.handler(
    async ({ input }) => await transfers.cancelAndDeleteParts(input.jobId),
  ),
  answer: os.transfers.answer.handler(({ input }) => transfers.answer(input.jobId, input.decisions)),
  compare: os.transfers.compare.handler(({ input, signal }) =>
    transfers.compare(input.jobId, input.seq, signal),
  ),
  uploadDefaults: os.transfers.uploadDefaults.handler(({ input }) => uploadDefaults.get(input.connectionId)),
  setUploadDefaults: os.transfers.setUploadDefaults.handler(({ input }) =>
    uploadDefaults.set(input.connectionId, input.options),
  ),
  customerKeys: os.transfers.customerKeys.handler(({ input }) => customerKeys.list(input.connectionId)),
  addCustomerKey: os.transfers.addCustomerKey.handler(({ input }) => customerKeys.add(input)),
  removeCustomerKey: os.transfers.removeCustomerKey.handler(({ input }) => customerKeys.remove(input)),
  reveal: os.transfers.reveal.handler(({ input }) => downloadResults.reveal(input.jobId)),
  dragOut: os.transfers.dragOut.handler(({ input }) => downloadResults.dragOut(input.jobId)),
  keepUnverified: os.transfers.keepUnverified.handler(({ input }) =>
    transfers.keepUnverified(input.jobId, input.seq),
  ),
  report: os.transfers.report.handler(({ input: { jobId, format, title }, signal }) => {
    const { bucket, chunks } = transfers.report(jobId);
    const place = { bucket, prefix: 'report/' };
    return walks.exports.run({ place, format, title, chunks }, signal ?? never);
  }),
  retryFailed: os.transfers.retryFailed.handler(({ input }) => transfers.retryFailed(input.jobId)),
});
