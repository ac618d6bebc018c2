import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { UndoEntry } from '../../../shared/models/operations.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { formatDate } from '../../ui/words/format.ts';
import { useStable } from '../../ui/use-stable.ts';

/** Older operations are undone only after a question: Ctrl+Z usually means the last thing done. */
const recentMs = 60 * 60_000;

type Direction = 'undo' | 'redo';

/** “Undo rename of a.txt and 3 more”. */
export function undoLabel(direction: Direction, { what, name, others }: UndoEntry, t: TFunction): string {
  const shown = nameText(name, t('common.keyText.empty'));
  const things = others === 0 ? shown : t('operations.undo.more', { name: shown, count: others });
  return t(`operations.undo.${direction === 'undo' ? 'what' : 'again'}.${what}`, { name: things });
}

/** Undoes the last operation, or does the last undone one again; asks first where copies are deleted, or it is long ago. */
export function useUndo(): Readonly<Record<Direction, () => void>> {
  const { t } = useTranslation();
  const begin = (direction: Direction): void => {
    sayingFailure(t, async () => {
      const entry = (await rpc.operations.undoState())[direction];
      if (entry === null) sayNothing(direction, t);
      else if (!entry.isPossible) sayImpossible(undoLabel(direction, entry, t), t);
      else if (entry.what === 'copy' || Date.now() - Date.parse(entry.at) > recentMs)
        ask(direction, entry, t);
      else await rpc.operations.undo({ id: entry.id });
    });
  };
  return useStable({
    undo: () => {
      begin('undo');
    },
    redo: () => {
      begin('redo');
    },
  });
}

function sayNothing(direction: Direction, t: TFunction): void {
  notifications.show({
    closeButtonProps: { 'aria-label': t('common.close') },
    title: t(direction === 'undo' ? 'operations.undo.nothing' : 'operations.undo.nothingAgain'),
    message: direction === 'undo' ? t('operations.undo.nothingBody') : null,
  });
}

function sayImpossible(what: string, t: TFunction): void {
  notifications.show({
    closeButtonProps: { 'aria-label': t('common.close') },
    title: t('operations.undo.impossible'),
    message: t('operations.undo.impossibleBody', { what }),
  });
}

function ask(direction: Direction, entry: UndoEntry, t: TFunction): void {
  const what = undoLabel(direction, entry, t);
  modals.openConfirmModal({
    closeButtonProps: { 'aria-label': t('common.close') },
    title: t('operations.undo.ask', { what }),
    children: (
      <Stack gap="xs">
        {entry.what === 'copy' ? <Text size="sm">{t('operations.undo.askCopy')}</Text> : null}
        <Text size="sm">{t('operations.undo.askOld', { time: formatDate(entry.at) })}</Text>
      </Stack>
    ),
    labels: {
      confirm: t(direction === 'undo' ? 'operations.undo.undo' : 'operations.undo.redo'),
      cancel: t('common.cancel'),
    },
    onConfirm: () => {
      sayingFailure(t, () => rpc.operations.undo({ id: entry.id }));
    },
  });
}
