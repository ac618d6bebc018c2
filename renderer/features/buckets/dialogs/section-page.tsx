import { Box, Group, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleSlash, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { FormOf } from '../../../../shared/models/bucket-forms.ts';
import {
  type BucketSection,
  sectionFacts,
  type SettingsDocument,
} from '../../../../shared/models/bucket-settings.ts';
import type { ObjectRef, Place } from '../../../../shared/models/objects.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import common from '../../../ui/common.module.css';
import { InventoryReports } from '../sections/inventory-reports.tsx';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import type { SectionNews } from '../sections/section-marks.ts';
import { SectionEditor } from './section-editor.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';

interface Props {
  readonly place: Place;
  readonly section: BucketSection;
  readonly onDirty: (dirty: boolean) => void;
  readonly onReport: (report: ObjectRef) => void;
  /** True if the service has refused an earlier change of the section. */
  readonly refusesChanges: boolean;
  /** Called with each response of the service about a section. */
  readonly onNews: (section: BucketSection, news: SectionNews) => void;
}

/** Shows the stored settings in one section, or the reason why they cannot be shown. */
export function SectionPage({ place, section, refusesChanges, onDirty, onReport, onNews }: Props) {
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
    if (state !== undefined && state !== 'failed')
      onNews(section, state === 'unsupported' ? 'unsupported' : 'readable');
  }, [state, section, onNews]);
  const reload = (): void => {
    onDirty(false);
    void read.refetch();
  };
  return (
    <>
      <Group align="start" gap="xs" wrap="nowrap">
        <Box flex={1} miw={0}>
          <Title order={2} fz="md">
            {t(`buckets.settings.names.${section}`)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`buckets.settings.about.${section}`)}
          </Text>
        </Box>
        <IconButton label={t('buckets.settings.reload')} icon={RotateCw} onClick={reload} />
      </Group>
      {read.isFetching ? (
        <div role="status" className={common.quiet}>
          <Loader size="xs" aria-hidden /> {t('buckets.settings.loading')}
        </div>
      ) : read.data === undefined ? (
        <FailureNotice error={read.error} onRetry={reload} />
      ) : (
        <Document
          key={read.dataUpdatedAt}
          place={place}
          document={read.data}
          refusesChanges={refusesChanges}
          onChangeNews={(news) => onNews(section, news)}
          onDirty={onDirty}
          onReload={reload}
          onReport={onReport}
        />
      )}
    </>
  );
}

interface DocumentProps extends Omit<Props, 'section' | 'onNews'> {
  readonly document: SettingsDocument;
  readonly onChangeNews: (news: SectionNews) => void;
  readonly onReload: () => void;
}

function Document(props: DocumentProps) {
  const { place, document, onReload, onReport } = props;
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
      {props.refusesChanges ? <Notice tone="warning">{t('buckets.settings.refusesChanges')}</Notice> : null}
      <SectionEditor
        place={place}
        document={document}
        onDirty={props.onDirty}
        onReload={onReload}
        onNews={props.onChangeNews}
      />
      {document.form?.section === 'inventory' ? (
        <InventoryReports place={place} configurations={document.form.configurations} onOpen={onReport} />
      ) : null}
    </>
  );
}

/** Shows settings that cannot be changed here: access list and object lock. */
function ShownSection({ document }: { readonly document: SettingsDocument }) {
  const { t } = useTranslation();
  const { form } = document;
  switch (form?.section) {
    case 'access':
      return <AccessList form={form} />;
    case 'object-lock':
      return (
        <p>
          {t(form.enabled ? 'buckets.objectLock.enabled' : 'buckets.objectLock.disabled')}{' '}
          {form.enabled ? retentionText(form, t) : null}
        </p>
      );
    default:
      return (
        <p>
          {t(document.section === 'object-lock' ? 'buckets.objectLock.disabled' : 'buckets.settings.absent')}
        </p>
      );
  }
}

function retentionText({ mode, days, years }: FormOf<'object-lock'>, t: TFunction): string {
  if (mode === null) return t('buckets.objectLock.noRule');
  const time =
    years === null
      ? t('buckets.objectLock.days', { count: days ?? 0 })
      : t('buckets.objectLock.years', { count: years });
  return t('buckets.objectLock.rule', { time, mode });
}

function AccessList({ form }: { readonly form: FormOf<'access'> }) {
  const { t } = useTranslation();
  return (
    <>
      {form.grants.some(({ isPublic }) => isPublic) ? (
        <Notice tone="warning">{t('buckets.access.isPublic')}</Notice>
      ) : null}
      <dl className={common.facts}>
        <dt>{t('buckets.access.owner')}</dt>
        <dd>{form.owner}</dd>
      </dl>
      {form.grants.length === 0 ? (
        <p>{t('buckets.access.none')}</p>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('buckets.access.who')}</Table.Th>
              <Table.Th>{t('buckets.access.may')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {form.grants.map(({ who: grantee, isPublic, permission }) => (
              <Table.Tr key={`${grantee} ${permission}`}>
                <Table.Td>
                  {grantee}
                  {isPublic ? ` (${t('buckets.access.public')})` : ''}
                </Table.Td>
                <Table.Td>{permission}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
