import { expect, it } from 'vitest';
import { folderPageSchema, type ObjectEntry } from '../../../../shared/models/objects.ts';

it('a page of a folder leaves the core without a check of each entry', () => {
  let reads = 0;
  const entry: ObjectEntry = { key: 'a', sizeBytes: 1, lastModified: null, etag: null, storageClass: null };
  const watched = new Proxy(entry, {
    get: (target, name: keyof ObjectEntry) => {
      reads += 1;
      return target[name];
    },
  });
  const page = folderPageSchema.parse({
    commonPrefixes: ['b/'],
    objects: [watched],
    nextPageToken: null,
    hasPlaceholder: false,
    unreadable: [],
    foreign: { count: 0, example: null },
  });
  expect(reads).toBe(0);
  expect(page.objects[0]).toBe(watched);
});

it('a page of a folder is refused where its entries are no list', () => {
  const page = { commonPrefixes: [], objects: 'none', nextPageToken: null, hasPlaceholder: false };
  const result = folderPageSchema.safeParse({
    ...page,
    unreadable: [],
    foreign: { count: 0, example: null },
  });
  expect(result.success).toBe(false);
});
