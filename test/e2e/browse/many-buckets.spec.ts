import { expect } from '@playwright/test';
import type { ConnectionInput } from '../../../shared/models/connection.ts';
import {
  startScriptedServer,
  xmlResponse,
  type ScriptedResponse,
} from '../../support/servers/scripted-server.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import type { RunningCooper } from '../../support/window/start-cooper.ts';
import { axeFindings } from '../support/axe.ts';
import { crumb, sidebarRow, test } from '../support/window.ts';

const xmlns = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

function bucketsResponse(names: readonly string[]): ScriptedResponse {
  const buckets = names.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('');
  return xmlResponse(
    `<ListAllMyBucketsResult ${xmlns}><Buckets>${buckets}</Buckets></ListAllMyBucketsResult>`,
  );
}

const nothing = xmlResponse(
  `<ListBucketResult ${xmlns}><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`,
);

const noUploads = xmlResponse(
  `<ListMultipartUploadsResult ${xmlns}><Bucket>only</Bucket><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`,
);

function inputOf(name: string, endpoint: string, accessKeyId = 'MANY'): ConnectionInput {
  return {
    name,
    provider: 'other',
    endpoint,
    region: 'us-east-1',
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'none' },
    start: null,
    auth: { kind: 'keys', accessKeyId, secretAccessKey: 'many-secret', sessionToken: null },
  };
}

const nameOf = (at: number): string => `many-${String(at).padStart(4, '0')}`;

/** Connects a service with 10,000 empty buckets, and returns a function that ends both. */
async function connectMany(cooper: RunningCooper, name: string): Promise<() => Promise<void>> {
  const server = await startScriptedServer();
  const names = Array.from({ length: 10_000 }, (_, at) => nameOf(at));
  server.answer(({ path }) => (path.split('?', 1)[0] === '/' ? bucketsResponse(names) : nothing));
  const behind = await coreOfAddress(await cooper.newAddress());
  const { core } = behind;
  const { id: connectionId } = await core.connections.create(inputOf(name, server.endpoint));
  return async () => {
    await core.connections.remove({ connectionId });
    behind.close();
    await server.close();
  };
}

test('the sidebar renders some 100 of 10,000 buckets, and reaches each by keyboard and by address', async ({
  win,
  cooper,
}) => {
  const end = await connectMany(cooper, 'Ten thousand');
  const rows = win.getByRole('treeitem');
  await sidebarRow(win, 'Ten thousand').click();
  await expect(sidebarRow(win, 'many-0000')).toBeVisible();
  expect(await rows.count()).toBeLessThan(165);

  await sidebarRow(win, 'Ten thousand').focus();
  await win.keyboard.press('End');
  await expect(sidebarRow(win, 'many-9999')).toBeFocused();
  await expect(sidebarRow(win, 'many-9999')).toBeInViewport();
  await win.keyboard.press('ArrowUp');
  await expect(sidebarRow(win, 'many-9998')).toBeFocused();
  await expect(sidebarRow(win, 'many-9990')).toBeInViewport();
  expect(await rows.count()).toBeLessThan(165);

  // The current bucket is scrolled into view, and its neighbours are rendered with it.
  await win.keyboard.press('Control+l');
  await win.keyboard.type('many-5000');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('many-5000');
  await expect(sidebarRow(win, 'many-5000')).toHaveAttribute('aria-current', 'page');
  await expect(sidebarRow(win, 'many-5000')).toBeInViewport();
  await expect(sidebarRow(win, 'many-4999')).toBeVisible();
  await expect(sidebarRow(win, 'many-5001')).toBeVisible();
  expect(await rows.count()).toBeLessThan(165);
  await end();
});

test('the menu of sibling buckets renders some 100 of 10,000, and reaches each by keyboard', async ({
  win,
  cooper,
}) => {
  const end = await connectMany(cooper, 'Siblings');
  await sidebarRow(win, 'Siblings').click();
  await expect(sidebarRow(win, 'many-0000')).toBeVisible();
  await win.keyboard.press('Control+l');
  await win.keyboard.type('many-5000');
  await win.keyboard.press('Enter');
  await expect(win.getByRole('heading', { name: 'This bucket is empty' })).toBeVisible();
  await crumb(win).focus();
  await win.keyboard.press('ArrowDown');

  const entries = win.getByRole('menu').getByRole('menuitem');
  const entry = (name: string) => entries.filter({ hasText: name });
  /** Expects that the entry has focus and states its position, that its neighbours are visible, and that few entries exist. */
  const expectFocused = async (at: number): Promise<void> => {
    const names = [at - 1, at, at + 1].filter((each) => each >= 0 && each < 10_000).map(nameOf);
    await expect(entry(nameOf(at))).toBeFocused();
    for (const name of names) await expect(entry(name)).toBeInViewport();
    await expect(entry(nameOf(at))).toHaveAttribute('aria-posinset', String(at + 1));
    await expect(entry(nameOf(at))).toHaveAttribute('aria-setsize', '10000');
    expect(await entries.count()).toBeLessThan(165);
  };
  await expectFocused(5000);
  expect(await axeFindings(win), 'the menu of siblings').toEqual([]);
  await win.keyboard.press('End');
  await expectFocused(9999);
  await win.keyboard.press('ArrowDown');
  await expectFocused(0);
  await win.keyboard.press('ArrowUp');
  await expectFocused(9999);
  await win.keyboard.press('Home');
  await expectFocused(0);
  await win.keyboard.type('many-77');
  await expectFocused(7700);
  await win.keyboard.press('Escape');
  await expect(win.getByRole('menu')).toHaveCount(0);
  await expect(crumb(win)).toBeFocused();

  await win.keyboard.press('ArrowDown');
  await expectFocused(5000);
  await win.keyboard.press('ArrowUp');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('many-4999');
  await end();
});

test('opening a connection lists its buckets once, also for the number of its stalled uploads', async ({
  win,
  cooper,
}) => {
  const server = await startScriptedServer();
  server.answer(({ path }) => (path.split('?', 1)[0] === '/' ? bucketsResponse(['only']) : noUploads));
  const requested = (wanted: (path: string) => boolean): number =>
    server.requests.filter(({ path }) => wanted(path)).length;
  const behind = await coreOfAddress(await cooper.newAddress());
  const { core } = behind;
  const { id: connectionId } = await core.connections.create(inputOf('Listed once', server.endpoint));
  await sidebarRow(win, 'Listed once').click();
  await expect(sidebarRow(win, 'only')).toBeVisible();
  await expect.poll(() => requested((path) => path.startsWith('/only') && path.includes('uploads'))).toBe(1);
  expect(requested((path) => path.split('?', 1)[0] === '/')).toBe(1);

  // The user asks for the current list.
  await win.getByRole('button', { name: 'Reload', exact: true }).last().click();
  await expect.poll(() => requested((path) => path.split('?', 1)[0] === '/')).toBe(2);
  await core.connections.remove({ connectionId });
  behind.close();
  await server.close();
});

test('quick open lists the buckets of a few connections at a time, and stops when it closes', async ({
  win,
  cooper,
}) => {
  const server = await startScriptedServer();
  const held: (() => void)[] = [];
  /** Returns the access keys for which buckets were requested. */
  const listed = (): ReadonlySet<string | undefined> =>
    new Set(
      server.requests.map(({ headers }) => /Credential=([^/]+)/u.exec(headers['authorization'] ?? '')?.[1]),
    );
  server.answer(async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return bucketsResponse(['only']);
  });
  const behind = await coreOfAddress(await cooper.newAddress());
  const { core } = behind;
  const made: string[] = [];
  for (let at = 0; at < 40; at += 1)
    made.push(
      (await core.connections.create(inputOf(`Account ${String(at)}`, server.endpoint, `KEY${String(at)}`)))
        .id,
    );
  await win.reload();
  await expect(sidebarRow(win, 'Account 39')).toBeAttached();
  // The samples take no slot later, however long their service takes to start.
  await sidebarRow(win, 'Sample buckets').click();
  await expect(sidebarRow(win, 'documents')).toBeVisible();

  await win.keyboard.press('Control+p');
  await expect.poll(() => listed().size).toBe(6);
  for (const response of held.splice(0, 2)) response();
  await expect.poll(() => listed().size).toBe(8);
  await win.keyboard.press('Escape');
  await expect(win.getByRole('combobox')).toHaveCount(0);
  for (const answer of held.splice(0)) answer();

  // A connection that the user opens is listed at once, and no other one is.
  await sidebarRow(win, 'Account 39').click();
  await expect.poll(() => listed().size).toBe(9);
  for (const connectionId of made) await core.connections.remove({ connectionId });
  for (const answer of held.splice(0)) answer();
  behind.close();
  await server.close();
});
