import { ActionIcon, Loader, Text, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleSlash, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import {
  sectionFacts,
  type BucketSection,
  type SettingsDocument,
} from '../../../../shared/models/bucket-settings.ts';
import type { ObjectRef, Place } from '../../../../shared/models/objects.ts';
import { orpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { InventoryReports } from '../sections/inventory-reports.tsx';
import { ShownSection } from './shown-section.tsx';
import { SectionEditor } from './section-editor.tsx';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly place: Place;
  readonly section: BucketSection;
  readonly onDirty: (dirty: boolean) => void;
  readonly onReport: (report: ObjectRef) => void;
  /** Called with each response of the service about a section. */
  readonly onUnsupported: (section: BucketSection, isUnsupported: boolean) => void;
}

/** Shows the stored settings in one section, or the reason why they cannot be shown. */
export function SectionPage({ place, section, onDirty, onReport, onUnsupported }: Props) {
  const { t } = useTranslation();
  const read = useQuery({
    ...orpc.bucketSettings.read.queryOptions({ input: { ...place, section } }),
    // Never refetches, which could replace values that the user is editing.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { keepAfterReconnect: true },
  });
  const state = read.data?.state;
  useEffect(() => {
    // A failed request does not show whether the service supports the section.
    if (state !== undefined && state !== 'failed') onUnsupported(section, state === 'unsupported');
  }, [state, section, onUnsupported]);
  const reload = (): void => {
    onDirty(false);
    void read.refetch();
  };
  return (
    <>
      <div className={classes.sectionHead}>
        <div>
          <Title order={2} fz="md">
            {t(`buckets.settings.names.${section}`)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`buckets.settings.about.${section}`)}
          </Text>
        </div>
        <Tooltip label={t('buckets.settings.reload')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('buckets.settings.reload')}
            onClick={reload}
          >
            <RotateCw size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {read.isFetching ? (
        <div role="status" className={common.explanation}>
          <Loader size="xs" aria-hidden /> {t('buckets.settings.loading')}
        </div>
      ) : read.data === undefined ? (
        <ErrorNotice error={appErrorOf(read.error)} onRetry={reload} />
      ) : (
        <Document
          key={read.dataUpdatedAt}
          place={place}
          document={read.data}
          onDirty={onDirty}
          onReload={reload}
          onReport={onReport}
        />
      )}
    </>
  );
}

interface DocumentProps {
  readonly place: Place;
  readonly document: SettingsDocument;
  readonly onDirty: (dirty: boolean) => void;
  readonly onReload: () => void;
  readonly onReport: (report: ObjectRef) => void;
}

function Document({ place, document, onDirty, onReload, onReport }: DocumentProps) {
  const { t } = useTranslation();
  const { section, error } = document;
  const facts = sectionFacts[section];
  if (document.state === 'unsupported')
    return (
      <EmptyState
        icon={<CircleSlash size={28} />}
        title={t('buckets.settings.unsupported')}
        body={t('buckets.settings.unsupportedBody')}
      />
    );
  if (document.state === 'failed' && error !== null)
    return <ErrorNotice error={error} onRetry={onReload} isReading permission={facts.permissions.read} />;
  if (facts.readOnly) return <ShownSection document={document} />;
  return (
    <>
      <SectionEditor place={place} document={document} onDirty={onDirty} onReload={onReload} />
      {document.form?.section === 'inventory' ? (
        <InventoryReports place={place} configurations={document.form.configurations} onOpen={onReport} />
      ) : null}
    </>
  );
}
