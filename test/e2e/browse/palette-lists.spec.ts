import { expect } from '@playwright/test';
import type { AppEvent } from '../../../shared/models/settings.ts';
import { Feed } from '../../support/window/fake-core.ts';
import { connection, test } from '../support/fake-window.ts';
import { crumb } from '../support/window.ts';

const undoState = { undoState: () => ({ undo: null, redo: null, isBusy: false }) };

test('Enter in the palette waits for connections that are being imported', async ({ open }) => {
  const events = new Feed<AppEvent>();
  const lists = [Promise.resolve([connection])];
  const imported = Promise.withResolvers<(typeof connection)[]>();
  const win = await open({
    app: { watch: () => events.stream() },
    connections: { list: () => lists.shift() ?? imported.promise },
    operations: undoState,
  });
  events.push({ kind: 'connections-changed' });
  await win.keyboard.press('Control+k');
  await win.keyboard.type('Quayside');
  await win.keyboard.press('Enter');
  await expect(win.getByText('Loading…')).toBeVisible();
  imported.resolve([connection, { ...connection, id: 'c2', name: 'Quayside' }]);
  await expect(crumb(win)).toHaveText('Quayside');
});

for (const keys of ['Control+k', 'Control+p'])
  test(`with 1,000 connections, ${keys} requests six bucket lists at a time`, async ({ open, core }) => {
    const many = Array.from({ length: 999 }, (_, at) => ({
      ...connection,
      id: `m${String(at)}`,
      name: `account-${String(at).padStart(3, '0')}`,
    }));
    const held = Promise.withResolvers<void>();
    const win = await open({
      connections: { list: () => [connection, ...many] },
      operations: undoState,
      buckets: {
        list: async ({ connectionId }) => {
          if (connectionId !== connection.id) await held.promise;
          const name = `bucket-of-${connectionId}`;
          return {
            buckets: [{ name, createdAt: null, region: null, source: 'listed', startPrefix: '' }],
            error: null,
          };
        },
      },
      map: {
        find: async function* () {
          yield await Promise.resolve({ found: [], isOver: true });
        },
      },
    });
    await win.keyboard.press(keys);
    const field = win.getByRole('combobox');
    await expect(field).toBeFocused();
    const ofMany = () =>
      core
        .inputsOf('buckets.list')
        .map((input) => JSON.stringify(input))
        .filter((input) => input !== JSON.stringify({ connectionId: connection.id })).length;
    await expect.poll(ofMany).toBe(6);
    await win.keyboard.type('account-998');
    await expect(win.getByRole('option', { selected: true })).toHaveText('account-998');
    expect(ofMany()).toBe(6);
    held.resolve();
    await field.fill('bucket-of-m20');
    await expect(win.getByRole('option', { selected: true })).toContainText('bucket-of-m20');
    await win.keyboard.press('Escape');
    await expect(field).toBeHidden();
  });
