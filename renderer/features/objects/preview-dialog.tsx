import { ActionIcon, Group, Loader, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, FileX } from 'lucide-react';
import { lazy, Suspense, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { defaultSettings } from '../../../shared/models/app.ts';
import type { Place, Preview } from '../../../shared/models/objects.ts';
import { orpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatMebibytes } from '../../ui/format.ts';
import { KeyText } from '../../ui/key-text.tsx';
import { ImagePreview } from './preview-image.tsx';
import { TextPreview } from './preview-text.tsx';
import classes from './preview.module.css';

const PdfPreview = lazy(async () => ({ default: (await import('./preview-pdf.tsx')).PdfPreview }));

interface PreviewDialogProps {
  readonly place: Place;
  /** null: closed. */
  readonly objectKey: string | null;
  /** One version of it; absent: the current one. */
  readonly versionId?: string;
  /** null: there is none before or after it. */
  readonly onStep: ((by: -1 | 1) => void) | null;
  readonly onClose: () => void;
}

/** Shows what is in an object. Nothing in it is ever run: images are drawn, text is text, PDFs are painted. */
export function PreviewDialog({ place, objectKey, versionId, onStep, onClose }: PreviewDialogProps) {
  const { t } = useTranslation();
  const name = objectKey === null ? '' : lastSegment(objectKey);
  const press = (event: KeyboardEvent): void => {
    const scrolls = event.target instanceof Element && event.target.closest('[data-keeps-arrows]') !== null;
    if (onStep === null || scrolls || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    onStep(event.key === 'ArrowLeft' ? -1 : 1);
  };
  return (
    <Modal
      opened={objectKey !== null}
      onClose={onClose}
      size="min(1100px, 92vw)"
      title={
        <span className={classes.title}>
          <span className="visually-hidden">{t('objects.preview.title', { name: '' })}</span>
          <KeyText name={name} />
        </span>
      }
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      onKeyDown={press}
    >
      {objectKey === null ? null : (
        <Content place={place} objectKey={objectKey} versionId={versionId} key={objectKey} />
      )}
      <Footer onStep={onStep} />
    </Modal>
  );
}

function Footer({ onStep }: Pick<PreviewDialogProps, 'onStep'>) {
  const { t } = useTranslation();
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  return (
    <Group justify="space-between" className={classes.footer} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {t('objects.preview.limit', { limit: formatMebibytes(settings.previewLimitBytes) })}
      </Text>
      {onStep === null ? null : (
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            aria-label={t('objects.preview.previous')}
            onClick={() => {
              onStep(-1);
            }}
          >
            <ChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={t('objects.preview.next')}
            onClick={() => {
              onStep(1);
            }}
          >
            <ChevronRight size={16} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}

interface ContentProps {
  readonly place: Place;
  readonly objectKey: string;
  readonly versionId: string | undefined;
}

function Content({ place, objectKey, versionId }: ContentProps) {
  const { t } = useTranslation();
  const { connectionId, bucket } = place;
  // A ticket lives for a short time, so each look asks for its own.
  const query = useQuery(
    orpc.objects.preview.queryOptions({
      input: { connectionId, bucket, key: objectKey, ...(versionId === undefined ? {} : { versionId }) },
      staleTime: Infinity,
      gcTime: 0,
      meta: { keepAfterReconnect: true },
    }),
  );
  const { data, error, isFetching, refetch } = query;
  return (
    <div className={classes.stage}>
      {error !== null && !isFetching ? (
        <ErrorNotice
          variant="page"
          error={appErrorOf(error)}
          onRetry={() => void refetch()}
          permission="s3:GetObject"
        />
      ) : data === undefined ? (
        <PreviewLoading label={t('objects.preview.loading')} />
      ) : (
        <Suspense fallback={<PreviewLoading label={t('objects.preview.loading')} />}>
          <Shown preview={data} name={lastSegment(objectKey)} />
        </Suspense>
      )}
    </div>
  );
}

function PreviewLoading({ label }: { readonly label: string }) {
  return (
    <div className={classes.waiting} role="status" aria-label={label}>
      <Loader size={28} aria-hidden />
    </div>
  );
}

function Shown({ preview, name }: { readonly preview: Preview; readonly name: string }) {
  const { t } = useTranslation();
  switch (preview.kind) {
    case 'image':
      return <ImagePreview path={preview.path} name={name} />;
    case 'pdf':
      return <PdfPreview path={preview.path} />;
    case 'text':
      return <TextPreview {...preview} />;
    case 'none':
      return (
        <EmptyState
          icon={<FileX size={28} />}
          title={t(`objects.preview.none.${preview.why}`)}
          body={t(`objects.preview.noneBody.${preview.why}`, { limit: formatMebibytes(preview.limitBytes) })}
        />
      );
    default:
      return preview satisfies never;
  }
}
