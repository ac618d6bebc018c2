import { beforeEach, expect, test } from 'vitest';
import {
  closeConnectionDialog,
  closeRemovalOf,
  openConnectionDialog,
  connectionDialogs,
} from '../../../../../renderer/features/connections/model/connection-dialog-store.ts';

const opened = connectionDialogs.useOpened.getState;

beforeEach(closeConnectionDialog);

test('a finished removal closes its own dialog', () => {
  openConnectionDialog({ mode: 'remove', connectionId: 'a' });
  closeRemovalOf('a');
  expect(opened().request).toBeNull();
});

test('a finished removal leaves a dialog that was opened since', () => {
  openConnectionDialog({ mode: 'remove', connectionId: 'a' });
  for (const request of [
    { mode: 'remove', connectionId: 'b' },
    { mode: 'edit', connectionId: 'a' },
  ] as const) {
    openConnectionDialog(request);
    closeRemovalOf('a');
    expect(opened().request).toEqual(request);
  }
});

test('each opening of a dialog has a new serial number', () => {
  openConnectionDialog({ mode: 'import' });
  const before = opened();
  openConnectionDialog({ mode: 'import' });
  expect(opened().serial).not.toBe(before.serial);
});
