import type { CoreParts, QueueParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

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
