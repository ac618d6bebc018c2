import { describe, expect, it } from 'vitest';
import {
  maxCacheLookups,
  maxObjectReads,
  ThumbnailLoader,
  type ThumbnailLoaderDeps,
  type ThumbnailRequest,
} from '../../../../renderer/features/viewers/thumbnails/thumbnail-loader.ts';
import { thumbnailHeadBytes } from '../../../../renderer/features/viewers/thumbnails/thumbnail-policy.ts';

const place = { connectionId: 'c', bucket: 'b' };
const requestOf = (name: string, sizeBytes = 1000, storageClass: string | null = null): ThumbnailRequest => ({
  place,
  row: { key: `${name}.jpg`, sizeBytes, etag: `"${name}"`, storageClass },
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Returns a loader whose surroundings the test controls. */
function rig(change: Partial<ThumbnailLoaderDeps> = {}) {
  const seen = {
    looks: 0,
    reads: [] as { readonly offset: number; readonly length: number; readonly signal: AbortSignal }[],
    open: 0,
    maxOpen: 0,
    kept: [] as string[],
    released: [] as string[],
    rests: [] as (() => void)[],
    answers: [] as (() => void)[],
    reported: [] as unknown[],
  };
  const deps: ThumbnailLoaderDeps = {
    find: async () => {
      seen.looks += 1;
      return await Promise.resolve({ kind: 'object', path: '/bytes/x' });
    },
    keep: async ({ key }) => {
      seen.kept.push(key);
      await Promise.resolve();
    },
    read: async (_, offset, length, signal) => {
      seen.reads.push({ offset, length, signal });
      seen.open += 1;
      seen.maxOpen = Math.max(seen.maxOpen, seen.open);
      try {
        await new Promise<void>((resolve, reject) => {
          seen.answers.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      } finally {
        seen.open -= 1;
      }
      return new Uint8Array(length);
    },
    make: async () => await Promise.resolve({ kind: 'made', picture: new Blob(['x']) }),
    addressOf: () => `blob:${String(seen.kept.length)}`,
    release: (address) => seen.released.push(address),
    pictureOf: () => new Blob(['kept']),
    afterRest: (run) => seen.rests.push(run),
    report: (thrown) => seen.reported.push(thrown),
    ...change,
  };
  const loader = new ThumbnailLoader(deps, 5_000_000);
  return {
    loader,
    seen,
    rest: async () => {
      for (const run of seen.rests.splice(0)) run();
      await settle();
    },
    answer: async () => {
      for (const resolve of seen.answers.splice(0)) resolve();
      await settle();
    },
    show: (request: ThumbnailRequest) => {
      const unsubscribe = loader.subscribe(request, () => undefined);
      const unsee = loader.markVisible(request);
      return () => {
        unsee();
        unsubscribe();
      };
    },
  };
}

describe('thumbnails of visible tiles', () => {
  it('are made of the first bytes and cached on disk', async () => {
    const { loader, seen, show, rest, answer } = rig();
    const request = requestOf('one', 3 * thumbnailHeadBytes);
    show(request);
    expect(loader.stateOf(request)).toEqual({ kind: 'waiting' });
    await rest();
    expect(seen.reads.map(({ offset, length }) => [offset, length])).toEqual([[0, thumbnailHeadBytes]]);
    await answer();
    expect(loader.stateOf(request).kind).toBe('made');
    expect(seen.kept).toEqual(['one.jpg']);
  });

  it('are read with a few concurrent requests, however many are visible', async () => {
    const { seen, show, rest, answer } = rig();
    for (let at = 0; at < 200; at += 1) show(requestOf(String(at)));
    await rest();
    expect(seen.open).toBe(maxObjectReads);
    expect(seen.looks).toBeLessThanOrEqual(200);
    for (let turn = 0; turn < 60; turn += 1) await answer();
    expect(seen.maxOpen).toBe(maxObjectReads);
    expect(seen.kept).toHaveLength(200);
    expect(maxCacheLookups).toBeLessThan(20);
  });

  it('are not requested for tiles scrolled past', async () => {
    const { seen, show, rest } = rig();
    for (let at = 0; at < 100; at += 1) show(requestOf(String(at)))();
    await rest();
    expect(seen.looks).toBe(0);
    expect(seen.reads).toEqual([]);
  });

  it('abort their request when they scroll out and free its slot', async () => {
    const { seen, show, rest } = rig();
    const leave = Array.from({ length: maxObjectReads }, (_, at) => show(requestOf(String(at))));
    show(requestOf('last'));
    await rest();
    expect(seen.reads).toHaveLength(maxObjectReads);
    leave[0]?.();
    await settle();
    expect(seen.reads[0]?.signal.aborted).toBe(true);
    expect(seen.reads).toHaveLength(maxObjectReads + 1);
    expect(seen.open).toBe(maxObjectReads);
  });

  it('rendered outside the viewport are requested once visible', async () => {
    const { loader, seen, rest } = rig();
    const request = requestOf('below');
    loader.subscribe(request, () => undefined);
    await rest();
    expect(seen.looks).toBe(0);
    loader.markVisible(request);
    await rest();
    expect(seen.reads).toHaveLength(1);
  });

  it('are dropped with the last tile, also if it was scrolled out before', async () => {
    const { loader, rest } = rig();
    const request = requestOf('one');
    const heard = { times: 0 };
    const unsubscribe = loader.subscribe(request, () => {
      heard.times += 1;
    });
    loader.markVisible(request)();
    unsubscribe();
    const before = heard.times;
    loader.subscribe(request, () => undefined);
    loader.markVisible(request);
    await rest();
    expect(heard.times).toBe(before);
  });

  it('of one object are read once for two tiles', async () => {
    const { seen, show, rest, answer } = rig();
    const request = requestOf('same');
    const first = show(request);
    show(request);
    await rest();
    first();
    expect(seen.reads).toHaveLength(1);
    expect(seen.reads[0]?.signal.aborted).toBe(false);
    await answer();
    expect(seen.kept).toEqual(['same.jpg']);
  });

  it('are taken from memory when shown again, and from disk without a request', async () => {
    const { loader, seen, show, rest, answer } = rig();
    const request = requestOf('one');
    const leave = show(request);
    await rest();
    await answer();
    leave();
    expect(loader.stateOf(request).kind).toBe('made');
    show(request);
    await rest();
    expect(seen.reads).toHaveLength(1);

    const disk = rig({ find: async () => await Promise.resolve({ kind: 'kept', contentBase64: 'eA==' }) });
    disk.show(request);
    await disk.rest();
    expect(disk.loader.stateOf(request).kind).toBe('made');
    expect(disk.seen.reads).toEqual([]);
    expect(disk.seen.kept).toEqual([]);
  });
});

/** Simulates images without an embedded thumbnail, so that the whole object is needed. */
const wanting: Partial<ThumbnailLoaderDeps> = {
  make: async (_, isWhole) =>
    await Promise.resolve(isWhole ? { kind: 'made', picture: new Blob(['x']) } : { kind: 'wants-whole' }),
};

describe('the bytes read for a thumbnail', () => {
  it('are the rest of the image if nothing is embedded and the size limit allows it', async () => {
    const { seen, show, rest, answer } = rig(wanting);
    show(requestOf('one', 1_000_000));
    await rest();
    await answer();
    expect(seen.reads.map(({ offset, length }) => [offset, length])).toEqual([
      [0, thumbnailHeadBytes],
      [thumbnailHeadBytes, 1_000_000 - thumbnailHeadBytes],
    ]);
    await answer();
    expect(seen.kept).toHaveLength(1);
  });

  it('are only the first ones of an image over the limit, requested once', async () => {
    const { loader, seen, show, rest, answer } = rig(wanting);
    const request = requestOf('one', 6_000_000);
    const leave = show(request);
    await rest();
    await answer();
    expect(loader.stateOf(request).kind).toBe('none');
    leave();
    show(request);
    await rest();
    expect(seen.reads).toHaveLength(1);
    // A larger limit changes the result.
    loader.setImageBytes(10_000_000);
    await rest();
    expect(seen.reads).toHaveLength(2);
  });

  it('are requested again when a failed tile becomes visible again', async () => {
    let isDown = true;
    const { loader, seen, show, rest } = rig({
      find: async () => {
        seen.looks += 1;
        if (isDown) throw new Error('down');
        return await Promise.resolve({ kind: 'kept', contentBase64: 'eA==' });
      },
    });
    const request = requestOf('one');
    const leave = show(request);
    await rest();
    expect(loader.stateOf(request).kind).toBe('failed');
    leave();
    isDown = false;
    show(request);
    await rest();
    expect(loader.stateOf(request).kind).toBe('made');
  });

  it('of a cold or archived object are read only on request', async () => {
    const { loader, seen, show, rest, answer } = rig();
    const cold = requestOf('cold', 1000, 'COLD');
    const archived = requestOf('archived', 1000, 'GLACIER');
    show(cold);
    show(archived);
    await rest();
    expect(loader.stateOf(cold)).toEqual({ kind: 'asks', why: 'paid' });
    expect(loader.stateOf(archived)).toEqual({ kind: 'asks', why: 'archived' });
    expect(seen.looks).toBe(0);
    loader.ask(cold);
    await rest();
    await answer();
    expect(loader.stateOf(cold).kind).toBe('made');
    expect(seen.reads).toHaveLength(1);
  });

  it('are shown even if caching fails, which is reported', async () => {
    const { loader, seen, show, rest, answer } = rig({
      keep: async () => await Promise.reject(new Error('full')),
    });
    const request = requestOf('one');
    show(request);
    await rest();
    await answer();
    expect(loader.stateOf(request).kind).toBe('made');
    expect(seen.reported).toHaveLength(1);
  });
});

describe('a changed size limit', () => {
  const pdf: ThumbnailRequest = { place, row: { ...requestOf('one').row, key: 'one.pdf' } };

  it('reads no cold object without a request after thumbnails were turned off', async () => {
    const { loader, seen, show, rest } = rig();
    const cold = requestOf('cold', 1000, 'COLD');
    let changes = 0;
    loader.setImageBytes(0);
    loader.subscribe(cold, () => {
      changes += 1;
    });
    show(cold);
    expect(loader.stateOf(cold).kind).toBe('none');
    loader.setImageBytes(5_000_000);
    await rest();
    expect(loader.stateOf(cold)).toEqual({ kind: 'asks', why: 'paid' });
    expect(changes).toBe(1);
    expect(seen.looks).toBe(0);
  });

  it('reads no object that is not an image', async () => {
    const { loader, seen, show, rest } = rig();
    show(pdf);
    loader.setImageBytes(10_000_000);
    await rest();
    expect(loader.stateOf(pdf).kind).toBe('none');
    expect(seen.looks).toBe(0);
  });

  it('loads the thumbnail of a tile that becomes visible after the change', async () => {
    const { loader, rest, answer } = rig();
    const request = requestOf('below');
    loader.setImageBytes(0);
    loader.subscribe(request, () => undefined);
    loader.setImageBytes(5_000_000);
    loader.markVisible(request);
    await rest();
    await answer();
    expect(loader.stateOf(request).kind).toBe('made');
  });

  it('of 0 aborts all requests and begins no more', async () => {
    const { loader, seen, show, rest } = rig();
    const [visible, below] = [requestOf('visible'), requestOf('below')];
    loader.subscribe(below, () => undefined);
    show(visible);
    await rest();
    loader.setImageBytes(0);
    loader.markVisible(below);
    await settle();
    await rest();
    expect(seen.reads.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect([visible, below].map((request) => loader.stateOf(request).kind)).toEqual(['none', 'none']);
    expect(seen.looks).toBe(1);
  });

  it('of 0 still allows a thumbnail that the user requests', async () => {
    const { loader, show, rest, answer } = rig();
    const cold = requestOf('cold', 1000, 'COLD');
    loader.setImageBytes(0);
    show(cold);
    loader.ask(cold);
    await rest();
    await answer();
    expect(loader.stateOf(cold).kind).toBe('made');
  });

  it('applies to an image that is being read', async () => {
    const { loader, show, rest, answer } = rig(wanting);
    const request = requestOf('one', 6_000_000);
    show(request);
    await rest();
    loader.setImageBytes(10_000_000);
    await settle();
    await rest();
    for (let turn = 0; turn < 3; turn += 1) await answer();
    expect(loader.stateOf(request).kind).toBe('made');
  });
});

it('reads a cold object that was requested out of view once its tile is visible', async () => {
  const { loader, rest, answer } = rig();
  const cold = requestOf('cold', 1000, 'COLD');
  loader.subscribe(cold, () => undefined);
  loader.ask(cold);
  loader.markVisible(cold);
  await rest();
  await answer();
  expect(loader.stateOf(cold).kind).toBe('made');
});
