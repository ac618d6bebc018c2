import { Alert, Button, Drawer, Flex, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOfKey } from '../../../../shared/keys/paths.ts';
import type { StandingObject, UploadDetail, UploadRef } from '../../../../shared/models/stalled.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { StorageClass } from '../../../ui/cells/storage-class.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import type { DialogProps } from '../../../ui/dialog/define-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { errorWords } from '../../../ui/words/error-words.ts';
import { useFileDrop } from '../../../ui/drop/file-drop.ts';
import { formatBytes, formatDate, formatExactDate } from '../../../ui/words/format.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { problemSentence } from '../dialogs/completion-words.ts';
import { openUploadDialog, uploadDialogs } from '../model/uploads-store.ts';
import { refId } from '../model/list-query.ts';
import { PartsStrip } from './parts-strip.tsx';
import { PartsTable } from './parts-table.tsx';
import { VerdictBadge } from './verdict-badge.tsx';
import { verdictSentence } from './verdict-words.ts';
import common from '../../../ui/common.module.css';
import classes from '../stalled-dialogs.module.css';
import { openTransfers } from '../../transfers/index.ts';

/** The drawer with all known facts about one upload. */
export function UploadDrawer({ request: upload, onClose }: DialogProps<UploadRef>) {
  // The dialog over the drawer receives Escape and dropped files.
  const isCovered = uploadDialogs.useOpened(({ request }) => request !== null);
  const { t } = useTranslation();
  const drop = useFileDrop(
    (dropped) => openUploadDialog({ kind: 'resume', ref: upload, dropped }),
    !isCovered,
  );
  return (
    <Drawer
      {...drop.handlers}
      opened
      onClose={onClose}
      position="right"
      size={840}
      title={t('stalled.detail.title')}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      inert={isCovered}
      closeButtonProps={{ 'aria-label': t('stalled.detail.close') }}
      styles={{
        content: { display: 'flex', flexDirection: 'column' },
        body: { flex: 1, minHeight: 0, overflow: 'auto' },
      }}
      transitionProps={{ duration: 120 }}
    >
      <Content key={refId(upload)} upload={upload} />
    </Drawer>
  );
}

function Content({ upload }: { readonly upload: UploadRef }) {
  const { t } = useTranslation();
  const detail = useQuery(orpc.stalled.open.queryOptions({ input: upload, staleTime: 0 }));
  return (
    // Focus starts on the scrollable content instead of the close button.
    <div className={joinClasses(common.column, classes.body)} tabIndex={-1} data-autofocus>
      <div>
        <Title order={2} fz="md" className={common.breaks ?? ''}>
          <KeyText name={nameOfKey(upload.key)} />{' '}
          <CopyButton value={upload.key} label={t('stalled.detail.copyKey')} />
        </Title>
        <Text size="xs" c="dimmed" className={common.breaks ?? ''}>
          {t('stalled.detail.place', { bucket: `${upload.bucket}/${upload.key}` })}
        </Text>
      </div>
      {detail.data === undefined ? (
        detail.error === null ? (
          <Text size="sm" role="status">
            <Loader size={14} mr="xs" aria-hidden />
            {t('stalled.detail.loading')}
          </Text>
        ) : (
          <FailureNotice
            variant="page"
            error={detail.error}
            onRetry={() => void detail.refetch()}
            isReading
            permission="s3:ListMultipartUploadParts"
          />
        )
      ) : (
        <Detail
          detail={detail.data}
          readAt={detail.dataUpdatedAt}
          busy={detail.isFetching}
          onReload={() => void detail.refetch()}
        />
      )}
    </div>
  );
}

interface DetailProps {
  readonly detail: UploadDetail;
  readonly readAt: number;
  readonly busy: boolean;
  readonly onReload: () => void;
}

function Detail({ detail, readAt, busy, onReload }: DetailProps) {
  const { t } = useTranslation();
  const { ref, parts, check, jobId } = detail;
  // Ages are relative to the time when the drawer was opened, so that they match the shown data.
  const [openedAtMs] = useState(() => Date.now());
  const problem = problemSentence(check, t);
  const stillWriting = detail.verdict === 'still-being-written';
  const selected = { ref, storedBytes: parts.storedBytes, stillWriting };
  return (
    <>
      <Flex wrap="wrap" align="flex-start" gap="xs" fz="md">
        <VerdictBadge verdict={detail.verdict} parts={parts} focusable />
        <Text inherit flex="1 1 280px">
          {verdictSentence(detail.verdict, parts, Math.max(openedAtMs, readAt), t)}
        </Text>
      </Flex>
      {jobId === null ? null : (
        <Alert color="blue" p="xs">
          <Text size="sm" span mr="sm">
            {t('stalled.detail.job')}
          </Text>
          <Button variant="default" onClick={() => openTransfers(jobId)}>
            {t('stalled.detail.showJob')}
          </Button>
        </Alert>
      )}
      <Flex wrap="wrap" gap="xs">
        <Button onClick={() => openUploadDialog({ kind: 'resume', ref })}>
          {t('stalled.toolbar.resume')}
        </Button>
        <Button variant="default" onClick={() => openUploadDialog({ kind: 'complete', refs: [ref] })}>
          {t('stalled.toolbar.complete')}
        </Button>
        <Button
          variant="default"
          onClick={() =>
            openUploadDialog({
              kind: 'abort',
              uploads: [selected],
              loss: { storedBytes: parts.storedBytes, unread: 0, stillWriting: stillWriting ? 1 : 0 },
            })
          }
        >
          {t('stalled.toolbar.abort')}
        </Button>
        <IconButton label={t('stalled.detail.reload')} icon={RotateCw} onClick={onReload} loading={busy} />
      </Flex>
      <PartsStrip runs={detail.runs} />
      <div className={classes.wide}>
        <div className={joinClasses(common.framed, common.breaks, classes.card)}>
          <h3>{t('stalled.detail.wouldBecome')}</h3>
          {problem === null ? (
            <>
              <div>{t('stalled.detail.wouldBecomeText', { bytes: formatBytes(check.sizeBytes) })}</div>
              <div className={common.mono}>
                {check.expectedEtag === null
                  ? t('stalled.detail.wouldBecomeEtagUnknown')
                  : t('stalled.detail.wouldBecomeEtag', { etag: check.expectedEtag })}
              </div>
            </>
          ) : (
            t('stalled.detail.cannotBecome', { why: problem })
          )}
        </div>
        <div className={joinClasses(common.framed, common.breaks, classes.card)}>
          <h3>{t('stalled.detail.standing')}</h3>
          <Standing standing={check.standing} />
        </div>
      </div>
      <Facts detail={detail} />
      <PartsTable
        key={readAt}
        upload={ref}
        total={parts.highestPartNumber}
        hasChecksums={detail.checksumAlgorithm !== null}
      />
    </>
  );
}

function Standing({ standing }: { readonly standing: StandingObject }) {
  const { t } = useTranslation();
  switch (standing.kind) {
    case 'absent':
      return t('stalled.detail.standingAbsent');
    case 'unreadable':
      return t('stalled.detail.standingUnreadable', { why: t(`${errorWords(standing.error)}.title`) });
    default: {
      const bytes = formatBytes(standing.sizeBytes);
      return (
        <>
          <div>
            {standing.lastModified === null
              ? t('stalled.detail.standingPresentUndated', { bytes })
              : t('stalled.detail.standingPresent', { bytes, date: formatDate(standing.lastModified) })}
          </div>
          {standing.etag === null ? null : (
            <div className={common.mono}>
              {t('stalled.detail.wouldBecomeEtag', { etag: standing.etag.replaceAll('"', '') })}
            </div>
          )}
        </>
      );
    }
  }
}

function Facts({ detail }: { readonly detail: UploadDetail }) {
  const { t } = useTranslation();
  const { parts, ref } = detail;
  const unknownText = t('stalled.unknown');
  const checksum =
    detail.checksumAlgorithm === null
      ? t('stalled.detail.checksumNone')
      : [detail.checksumAlgorithm, detail.checksumType].filter((text) => text !== null).join(', ');
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      t('stalled.detail.partsHeading'),
      t('stalled.detail.stored', {
        bytes: formatBytes(parts.storedBytes),
        parts: t('stalled.detail.partsCount', { count: parts.partCount }),
      }),
    ],
    [
      t('stalled.detail.partSize'),
      parts.partSizeBytes === null ? t('stalled.detail.partSizeMixed') : formatBytes(parts.partSizeBytes),
    ],
    [
      t('stalled.detail.begun'),
      detail.initiatedAt === null ? unknownText : formatExactDate(detail.initiatedAt),
    ],
    [t('stalled.detail.begunBy'), detail.initiator ?? unknownText],
    [
      t('stalled.detail.storageClass'),
      detail.storageClass === null ? unknownText : <StorageClass key="class" name={detail.storageClass} />,
    ],
    [t('stalled.detail.checksum'), checksum],
    [
      t('stalled.detail.uploadId'),
      <>
        <code className={joinClasses(common.cut, common.mono)} title={ref.uploadId}>
          {ref.uploadId}
        </code>
        <CopyButton value={ref.uploadId} label={t('stalled.detail.copyUploadId')} />
      </>,
    ],
  ];
  return (
    <dl className={classes.wide}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
