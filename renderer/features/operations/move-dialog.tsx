import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { placeText, countText } from './chosen.ts';
import { forgetCut } from './clipboard.ts';
import { ChosenList, CountLine } from './operation-dialog-parts.tsx';
import type { OperationDialogProps } from './operation-dialog-store.ts';
import { runTransfer } from './start-operation.ts';
import { useCount } from './use-count.ts';

/**
 * Asks before folders, or items in another service, are copied or moved. Shows their number and size, and what cannot be copied.
 */
export function MoveDialog({ request, onClose }: OperationDialogProps<'move'>) {
  const { transfer } = request;
  const { t } = useTranslation();
  const { from, rows, to } = transfer;
  const { count, stop } = useCount(from, rows);
  const run = useLatestMutation({
    mutationFn: () => runTransfer(transfer),
    onSuccess: () => {
      forgetCut();
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('operations.move.title', { things: countText(rows, t) })} size={520}>
      <Stack gap="sm">
        <p>{t('operations.move.body', { from: placeText(from), to: placeText(to) })}</p>
        <ChosenList rows={rows} label={t('operations.move.title', { things: countText(rows, t) })} />
        <CountLine count={count} onStop={stop} />
        <p>{t('operations.move.how')}</p>
        {from.connectionId === to.connectionId ? null : <p>{t('operations.move.noAcl')}</p>}
        <FailureNotice error={run.error} />
        <DialogFooter onCancel={onClose}>
          <Button data-autofocus loading={run.isPending} onClick={() => run.mutate()}>
            {t('operations.move.confirm')}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}
