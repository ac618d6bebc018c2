import { MantineProvider, type CheckboxProps } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createInstance } from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  defaultSyncOptions,
  SyncSetup,
  type SyncOptions,
} from '../../../../renderer/features/sync/sync-setup.tsx';
import { useSyncPlan } from '../../../../renderer/features/sync/use-sync-plan.ts';
import { coreLink } from '../../../../renderer/rpc/client.ts';

const { boxes, Checkbox } = vi.hoisted(() => {
  const boxes: CheckboxProps[] = [];
  return { boxes, Checkbox: (props: CheckboxProps) => (boxes.push(props), null) };
});

vi.mock(import('@mantine/core'), async (load) => {
  const mantine = await load();
  return { ...mantine, Checkbox: Checkbox as unknown as typeof mantine.Checkbox };
});

beforeAll(async () => {
  // In this language, each text renders as its key.
  await createInstance().use(initReactI18next).init({ lng: 'cimode' });
});
beforeEach(() => {
  boxes.length = 0;
});

const folder = { handle: 'h', name: 'n', kind: 'folder' } as never;

/** Renders the setup, sets each of its boxes to `checked`, and returns the changed options. */
function optionsAfter(options: SyncOptions, checked: boolean): SyncOptions {
  let changed = options;
  const setup = createElement(SyncSetup, {
    name: 'b',
    options: options,
    onChange: (next) => {
      changed = next;
    },
    onMake: () => Promise.resolve(),
    onClose: () => undefined,
  });
  const queries = createElement(QueryClientProvider, { client: new QueryClient() }, setup);
  renderToStaticMarkup(createElement(MantineProvider, null, queries));
  for (const box of boxes) box.onChange?.({ currentTarget: { checked } } as never);
  return changed;
}

/** Returns the request for a plan that the window sends for these options. */
async function requestFor(options: SyncOptions): Promise<unknown> {
  const call = vi.spyOn(coreLink, 'call').mockResolvedValue({ planId: 'plan' });
  const place = { connectionId: 'c', bucket: 'b', prefix: '' };
  const made: ReturnType<typeof useSyncPlan>[] = [];
  const Probe = (): null => {
    made.push(useSyncPlan(place));
    return null;
  };
  renderToStaticMarkup(createElement(Probe));
  await made[0]?.make(options);
  const [path, input] = call.mock.lastCall ?? [];
  return { path, input };
}

test.each([true, false])(
  'an upload sync request includes links that lead out of the folder only if ticked: %s',
  async (checked) => {
    const options = optionsAfter({ ...defaultSyncOptions('up'), folder, takesLinksOut: !checked }, checked);
    expect(boxes).toMatchObject([{ label: 'sync.setup.takesLinksOut', checked: !checked }]);
    expect(await requestFor(options)).toMatchObject({
      path: ['sync', 'plan'],
      input: { folderHandle: 'h', direction: 'up', takesLinksOut: checked },
    });
  },
);

test('a new sync has the box for links that lead out cleared, and none for downloads', () => {
  expect(defaultSyncOptions('up').takesLinksOut).toBe(false);
  optionsAfter({ ...defaultSyncOptions('down'), folder }, true);
  expect(boxes).toEqual([]);
});
