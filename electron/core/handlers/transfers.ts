import type { UploadParts } from '../uploads/upload-parts.ts';
import type { Implementer } from './implementer.ts';

export const transferHandlers = (os: Implementer, { transfers }: UploadParts) => ({
  upload: os.transfers.upload.handler(({ input }) => transfers.upload(input)),
  download: os.transfers.download.handler(({ input }) => transfers.download(input)),
  items: os.transfers.items.handler(({ input }) =>
    transfers.items(input.jobId, input.filter, input.offset, input.limit),
  ),
  answer: os.transfers.answer.handler(({ input }) => transfers.answer(input.jobId, input.decisions)),
  retryFailed: os.transfers.retryFailed.handler(({ input }) => transfers.retryFailed(input.jobId)),
});
