import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const bucketHandlers = (os: Implementer, { browse }: CoreParts) => ({
  list: os.buckets.list.handler(({ input, signal }) => browse.buckets(input.connectionId, signal)),
  remember: os.buckets.remember.handler(({ input }) => browse.remember(input)),
  forget: os.buckets.forget.handler(({ input }) => browse.forget(input)),
});

const never = new AbortController().signal;

export const objectHandlers = (os: Implementer, { browse, walks }: CoreParts) => ({
  list: os.objects.list.handler(({ input, signal }) => browse.folder(input, signal)),
  rest: os.objects.rest.handler(({ input, signal }) => walks.restOfFolder(input, signal ?? never)),
  details: os.objects.details.handler(({ input, signal }) => browse.details(input, signal)),
  addresses: os.objects.addresses.handler(({ input }) => browse.addresses(input)),
  file: os.objects.file.handler(({ input, signal }) => browse.file(input, signal)),
  offer: os.objects.offer.handler(({ input: { ticket, ...ref } }) => browse.offer(ref, ticket)),
  preview: os.objects.preview.handler(({ input, signal }) => browse.preview(input, signal)),
});
