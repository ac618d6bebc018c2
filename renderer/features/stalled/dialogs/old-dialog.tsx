import { Button, Loader, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadRow } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { UploadList } from './abort-dialog.tsx';
import { closeUploadDialog, openUploadDialog, type UploadDialogProps } from '../model/uploads-store.ts';
import { begunBefore, noUploadFilter, refId } from '../model/list-query.ts';
import { selectAll } from '../model/many-uploads.ts';
import type { Selected } from '../model/upload-selection.ts';

const firstDays = '7';
/** Number of rows whose parts are read per request. */
const chunkSize = 200;
/** Maximum number of uploads whose parts are read to add up their bytes. Reading more would take too long. */
const maxRead = 500;

/** Aborts all uploads older than N days. Shows the list first, then asks for confirmation. */
export function OldDialog({ request }: UploadDialogProps<'old'>) {
  const { scanId, connectionId } = request;
  const { t } = useTranslation();
  const [days, setDays] = useState(firstDays);
  const [settled] = useDebouncedValue(days, 250);
  const [openedMs] = useState(() => Date.now());
  const before = begunBefore(settled, openedMs);
  const filter = useMemo(() => ({ ...noUploadFilter, begunBefore: before }), [before]);
  const found = useQuery({
    queryKey: ['old-uploads', scanId, before],
    staleTime: 0,
    enabled: before !== null,
    async queryFn({ signal }) {
      const rows = await readRows(scanId, filter, signal);
      const response = await selectAll(scanId, filter, signal);
      const known = new Map(rows.map((row) => [refId(row), row]));
      const uploads = response.refs.map((ref): Selected => {
        const row = known.get(refId(ref));
        return {
          ref: { ...ref, connectionId },
          storedBytes: row?.parts?.storedBytes ?? null,
          stillWriting: row?.verdict === 'still-being-written',
        };
      });
      const stillWriting = uploads.filter((upload) => upload.stillWriting).length;
      return { uploads, loss: { storedBytes: response.storedBytes, unread: response.unread, stillWriting } };
    },
  });
  const uploads = found.data?.uploads ?? [];
  const invalid = begunBefore(days, openedMs) === null;
  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.old.title')} size={560}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found.data !== undefined && uploads.length > 0)
            openUploadDialog({ kind: 'abort', ...found.data });
        }}
      >
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t('stalled.old.days')}
            description={t('stalled.old.asSeen')}
            inputMode="numeric"
            value={days}
            error={invalid ? t('stalled.old.invalid') : null}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <FailureNotice error={found.error} />
          {found.isFetching ? <Loader size={16} aria-label={t('stalled.abort.reading')} /> : null}
          {invalid || found.data === undefined ? null : (
            <>
              <p>
                {uploads.length === 0
                  ? t('stalled.old.none')
                  : t('stalled.old.found', { count: uploads.length })}
              </p>
              {uploads.length === 0 ? null : <UploadList uploads={uploads} />}
            </>
          )}
          <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.old.cancel')}>
            <Button type="submit" disabled={invalid || found.isFetching || uploads.length === 0}>
              {t('stalled.old.next')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Reads the oldest uploads and their parts, so that the confirmation can say how many bytes are lost. */
async function readRows(
  scanId: string,
  filter: typeof noUploadFilter,
  signal: AbortSignal,
): Promise<readonly UploadRow[]> {
  const sort = { by: 'begun', descending: false } as const;
  const { rows } = await rpc.stalled.rows({ scanId, offset: 0, limit: maxRead, sort, filter }, { signal });
  const unread = rows.filter(({ verdict }) => verdict === 'unread').map(({ id }) => id);
  const read: UploadRow[] = [];
  for (let at = 0; at < unread.length; at += chunkSize)
    read.push(
      ...(await rpc.stalled.inspect({ scanId, rowIds: unread.slice(at, at + chunkSize) }, { signal })),
    );
  const known = new Map(read.map((row) => [row.id, row]));
  return rows.map((row) => known.get(row.id) ?? row);
}
