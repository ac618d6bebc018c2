import { Button, Loader, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InventorySummary } from '../../../shared/models/inventory.ts';
import type { ObjectRef, Place } from '../../../shared/models/objects.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { formatBytes, formatCount, formatDate } from '../../ui/words/format.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

/** Shows the map of a folder. */
export type ShowMap = (place: Place & { readonly folder: string }) => void;

interface Props extends DialogProps<ObjectRef> {
  readonly onShowMap: ShowMap;
}

/** Describes an inventory report, and offers to read it into a map. */
export function ReportDialog({ request, onShowMap, onClose }: Props) {
  const { t } = useTranslation();
  const { connectionId, bucket, key } = request;
  const look = useQuery({
    ...orpc.inventory.look.queryOptions({ input: { connectionId, bucket, key } }),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Dialog onClose={onClose} title={t('inventory.title')} size={560}>
      <Stack>
        {look.isPending ? (
          <div role="status" className={common.quiet}>
            <Loader size="xs" aria-hidden /> {t('inventory.checking')}
          </div>
        ) : look.data === undefined ? (
          <FailureNotice
            error={look.error}
            onRetry={() => void look.refetch()}
            isReading
            permission="s3:GetObject"
          />
        ) : (
          <Report request={request} summary={look.data} onShowMap={onShowMap} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  );
}

function Report({
  request: report,
  summary,
  onShowMap,
  onClose,
}: Props & { readonly summary: InventorySummary }) {
  const { t } = useTranslation();
  const { connectionId, bucket, key } = report;
  const [prefix, setPrefix] = useState(summary.prefix ?? '');
  const open = useLatestMutation({
    mutationFn: async () => await rpc.inventory.open({ connectionId, bucket, key, prefix }),
    onSuccess(opened) {
      onShowMap({ connectionId, bucket: opened.bucket, folder: opened.prefix });
      onClose();
    },
  });
  return (
    <>
      <dl className={common.facts}>
        <dt>{t('inventory.bucket')}</dt>
        <dd>{summary.sourceBucket}</dd>
        <dt>{t('inventory.takenAt')}</dt>
        <dd>{formatDate(summary.takenAt)}</dd>
        <dt>{t('inventory.format')}</dt>
        <dd>
          {t('inventory.files', {
            format: summary.format,
            count: summary.files,
            number: formatCount(summary.files),
            size: formatBytes(summary.fileBytes),
          })}
        </dd>
        <dt>{t('inventory.versions')}</dt>
        <dd>{t(summary.hasVersions ? 'inventory.allVersions' : 'inventory.currentVersions')}</dd>
        <dt>{t('inventory.fields')}</dt>
        <dd>{summary.fields.join(', ')}</dd>
      </dl>
      {summary.obstacle === null ? (
        <>
          <TextInput
            label={t('inventory.prefix')}
            description={t(summary.prefix === null ? 'inventory.prefixUnknown' : 'inventory.prefixKnown')}
            placeholder={t('inventory.wholeBucket')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={prefix}
            spellCheck={false}
            autoComplete="off"
            readOnly={summary.prefix !== null}
            onChange={(event) => setPrefix(event.currentTarget.value)}
          />
          <p className={common.quiet}>{t('inventory.what')}</p>
        </>
      ) : (
        <p className={common.callout} data-tone="warning" role="alert">
          {t(`inventory.obstacle.${summary.obstacle}`)}
        </p>
      )}
      <FailureNotice error={open.error} isReading permission="s3:GetObject" />
      <DialogFooter onCancel={onClose}>
        {summary.obstacle === null ? (
          <Button data-autofocus loading={open.isPending} onClick={() => open.mutate()}>
            {t('inventory.open')}
          </Button>
        ) : null}
      </DialogFooter>
    </>
  );
}
