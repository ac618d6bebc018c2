import type { AppEvent } from '../../shared/models/settings.ts';
import { showNotice } from '../ui/notices/notices.tsx';
import { rpc } from './client.ts';
import { sayFailure } from './say-failure.ts';

type EventOf<Kind extends AppEvent['kind']> = Extract<AppEvent, { kind: Kind }>;

/** Says that stored data is missing, and offers to restore the newest backup. */
export function tellOlderData({ found, expected, backup }: EventOf<'older-data'>): void {
  const day = backup === null ? '' : dayOf(backup);
  showNotice({
    tone: 'warning',
    staysMs: null,
    title: (say) => say('common.olderData.title'),
    message: (say) =>
      [
        say('common.olderData.found', {
          connections: say('common.olderData.connections', { count: found.connections }),
          transfers: say('common.olderData.transfers', { count: found.jobs }),
        }),
        say('common.olderData.expected', {
          connections: say('common.olderData.connections', { count: expected.connections }),
          transfers: say('common.olderData.transfers', { count: expected.jobs }),
        }),
        say(backup === null ? 'common.olderData.noBackup' : 'common.olderData.backup', { day }),
      ].join('\n'),
    actions:
      backup === null
        ? []
        : [
            {
              label: (say) => say('common.olderData.restore', { day }),
              onClick: () => {
                restore(backup, day).catch(tellFailed);
              },
            },
          ],
  });
}

/** Reports the result of a backup restored at this start. */
export function tellRestored({ backup, keptAs, error }: EventOf<'restored'>): void {
  const day = dayOf(backup);
  showNotice({
    tone: error === null ? 'good' : 'bad',
    staysMs: null,
    title: (say) => say(error === null ? 'common.restored.title' : 'common.restored.failed', { day }),
    message: (say) =>
      error === null
        ? say(keptAs === null ? 'common.restored.body' : 'common.restored.bodyKept', { where: keptAs ?? '' })
        : say('common.restored.unchanged', { detail: error }),
  });
}

async function restore(name: string, day: string): Promise<void> {
  await rpc.app.restoreBackup({ name });
  showNotice({
    tone: 'good',
    staysMs: null,
    title: (say) => say('common.olderData.chosen', { day }),
    message: (say) => say('common.olderData.restart'),
  });
}

function tellFailed(thrown: unknown): void {
  sayFailure(thrown, (say) => say('common.olderData.notChosen'));
}

/** Returns the day in the name of a backup. */
function dayOf(backup: string): string {
  return /\d{4}-\d{2}-\d{2}/.exec(backup)?.[0] ?? backup;
}
