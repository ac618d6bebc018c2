import { Stack, Text } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { UndoEntry } from '../../../shared/models/operations.ts';
import { refreshTree } from '../../features/connections/index.ts';
import { refreshFolders } from '../../features/objects/index.ts';
import { rpc } from '../../rpc/client.ts';
import { askToConfirm } from '../../ui/dialog/ask-to-confirm.tsx';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { formatDate } from '../../ui/words/format.ts';
import { showNotice } from '../../ui/notices/notices.tsx';

/** Age in milliseconds above which an undo asks for confirmation. Ctrl+Z usually refers to the last action. */
const recentMs = 60 * 60_000;

type Direction = 'undo' | 'redo';

/** Returns the label of an operation, such as “Undo rename of a.txt and 3 more”. */
export function undoLabel(direction: Direction, { kind, name, others }: UndoEntry, t: TFunction): string {
  const shown = nameText(name, t('common.keyText.empty'));
  const namesText = others === 0 ? shown : t('operations.undo.more', { name: shown, count: others });
  return t(`operations.undo.${direction === 'undo' ? 'what' : 'again'}.${kind}`, { name: namesText });
}

/**
 * Undoes the last operation, or redoes the operation undone last. Asks for confirmation if copies would be deleted, if the
 * operation replaced objects, or if it is old. Shows errors as notices.
 */
export function beginUndo(direction: Direction, queries: QueryClient, t: TFunction): void {
  const run = async ({ id, name }: UndoEntry): Promise<void> => {
    const { folder } = await rpc.operations.undo({ id });
    // An undo without a job (of a new folder) is now complete. Reloads the folder here, since no job event will.
    if (folder === null) return;
    refreshFolders(queries, folder);
    refreshTree(queries, folder);
    if (!folder.created) showNotice({ message: (say) => say('operations.newFolder.existed', { name }) });
  };
  sayingFailure(async () => {
    const state = await rpc.operations.undoState();
    const entry = state[direction];
    if (entry === null) showNothingToUndo(state.isBusy ? 'busy' : direction);
    else if (!entry.isPossible) showCannotUndo(direction, entry);
    else if (
      deletesCopies(direction, entry) ||
      entry.replaced !== 'none' ||
      Date.now() - Date.parse(entry.at) > recentMs
    )
      askToUndo(direction, entry, () => run(entry), t);
    else await run(entry);
  });
}

const nothingWords = {
  undo: ['operations.undo.nothing', 'operations.undo.nothingBody'],
  redo: ['operations.undo.nothingAgain', null],
  busy: ['operations.undo.busy', 'operations.undo.busyBody'],
} as const;

function showNothingToUndo(why: keyof typeof nothingWords): void {
  const [title, body] = nothingWords[why];
  showNotice({
    tone: 'quiet',
    title: (say) => say(title),
    ...(body === null ? {} : { message: (say) => say(body) }),
  });
}

function showCannotUndo(direction: Direction, entry: UndoEntry): void {
  const isUndo = direction === 'undo';
  showNotice({
    tone: 'warning',
    title: (say) => say(isUndo ? 'operations.undo.impossible' : 'operations.undo.impossibleAgain'),
    message: (say) =>
      say(isUndo ? 'operations.undo.impossibleBody' : 'operations.undo.impossibleAgainBody', {
        action: undoLabel(direction, entry, say),
      }),
  });
}

function deletesCopies(direction: Direction, { kind }: UndoEntry): boolean {
  return direction === 'undo' && kind === 'copy';
}

function askToUndo(direction: Direction, entry: UndoEntry, run: () => Promise<void>, t: TFunction): void {
  const action = undoLabel(direction, entry, t);
  const isDeletion = deletesCopies(direction, entry);
  askToConfirm(
    {
      title: t('operations.undo.ask', { action }),
      body: (
        <Stack gap="xs">
          {isDeletion ? <Text size="sm">{t('operations.undo.askCopy')}</Text> : null}
          {entry.replaced === 'none' ? null : (
            <Text size="sm">{t(`operations.undo.replaced.${entry.replaced}`)}</Text>
          )}
          <Text size="sm">{t('operations.undo.askOld', { time: formatDate(entry.at) })}</Text>
        </Stack>
      ),
      labels: {
        confirm: t(direction === 'undo' ? 'operations.undo.undo' : 'operations.undo.redo'),
        cancel: t('common.cancel'),
      },
      weight: isDeletion ? 'destructive' : 'light',
      onConfirm: () => sayingFailure(run),
    },
    t,
  );
}
