import { beforeEach, expect, test } from 'vitest';
import {
  closeConnectionDialog,
  closeRemovalOf,
  openConnectionDialog,
  useConnectionDialog,
} from '../../../../../renderer/features/connections/model/connection-dialog-store.ts';

const opened = useConnectionDialog.getState;

beforeEach(closeConnectionDialog);

test('a removal that is done closes its question', () => {
  openConnectionDialog({ mode: 'remove', connectionId: 'a' });
  closeRemovalOf('a');
  expect(opened().request).toBeNull();
});

test('a removal that is done leaves what was opened since then', () => {
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

test('each opening is told from the one before', () => {
  openConnectionDialog({ mode: 'import' });
  const before = opened();
  openConnectionDialog({ mode: 'import' });
  expect(opened().serial).not.toBe(before.serial);
});
