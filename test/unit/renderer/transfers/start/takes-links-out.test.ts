import { MantineProvider, type CheckboxProps } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createInstance, type TFunction } from 'i18next';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startUpload } from '../../../../../renderer/features/transfers/start/start-transfer.ts';
import { UploadFields } from '../../../../../renderer/features/transfers/start/upload-fields.tsx';
import {
  uploadDraftOf,
  uploadOptionsOf,
  type UploadDraft,
} from '../../../../../renderer/features/transfers/start/upload-form.ts';
import { coreLink } from '../../../../../renderer/rpc/client.ts';
import { defaultUploadOptions } from '../../../../../shared/models/transfers.ts';

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

/** Renders the fields and returns the draft after the user ticked or cleared the box for links. */
function draftAfter(checked: boolean): UploadDraft {
  const draft = { ...uploadDraftOf(defaultUploadOptions), takesLinksOut: !checked };
  let changed: UploadDraft = draft;
  const fields = createElement(UploadFields, {
    connectionId: 'c',
    bucket: 'b',
    draft,
    problems: {},
    onChange: (change) => {
      changed = { ...changed, ...change };
    },
  });
  const queries = createElement(QueryClientProvider, { client: new QueryClient() }, fields);
  renderToStaticMarkup(createElement(MantineProvider, null, queries));
  const [box, ...others] = boxes;
  expect(others).toEqual([]);
  expect(box).toMatchObject({ label: 'jobs.uploadOptions.takesLinksOut', checked: !checked });
  box?.onChange?.({ currentTarget: { checked } } as never);
  return changed;
}

test.each([true, false])(
  'an upload request includes links that lead out of the folder only if ticked: %s',
  async (checked) => {
    const options = uploadOptionsOf(draftAfter(checked), {
      ...defaultUploadOptions,
      takesLinksOut: !checked,
    });
    const requested = Promise.withResolvers<unknown>();
    vi.spyOn(coreLink, 'call').mockImplementation((path, input) => {
      if (path[0] === 'app') return Promise.resolve({ hasNativeDialogs: true });
      if (path[0] === 'files') return Promise.resolve([{ handle: 'h', name: 'n', kind: 'folder' }]);
      requested.resolve({ path, input });
      return Promise.resolve({ jobId: 'job' });
    });
    startUpload(
      { connectionId: 'c', bucket: 'b', folder: '' },
      'folder',
      ((key: string) => key) as TFunction,
      () => Promise.resolve(options),
    );
    expect(await requested.promise).toMatchObject({
      path: ['transfers', 'upload'],
      input: { fileHandles: ['h'], options: { takesLinksOut: checked } },
    });
  },
);

test('the upload dialog opens with the box for links that lead out cleared, whatever the defaults', () => {
  expect(uploadDraftOf({ ...defaultUploadOptions, takesLinksOut: true }).takesLinksOut).toBe(false);
});
