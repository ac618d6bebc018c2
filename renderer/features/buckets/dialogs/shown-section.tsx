import { Table } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FormOf, SettingsDocument } from '../../../../shared/models/bucket-settings.ts';
import { Notice } from '../parts/notice.tsx';
import common from '../../../ui/common.module.css';

/** Shows settings that cannot be changed here: access list and object lock. */
export function ShownSection({ document }: { readonly document: SettingsDocument }) {
  const { t } = useTranslation();
  const { form } = document;
  switch (form?.section) {
    case 'access':
      return <AccessList form={form} />;
    case 'object-lock':
      return (
        <p className={common.sentence}>
          {t(form.enabled ? 'buckets.objectLock.enabled' : 'buckets.objectLock.disabled')}{' '}
          {form.enabled ? retention(form, t) : null}
        </p>
      );
    default:
      return (
        <p className={common.sentence}>
          {t(document.section === 'object-lock' ? 'buckets.objectLock.disabled' : 'buckets.settings.absent')}
        </p>
      );
  }
}

function retention({ mode, days, years }: FormOf<'object-lock'>, t: TFunction): string {
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
        <p className={common.sentence}>{t('buckets.access.none')}</p>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('buckets.access.who')}</Table.Th>
              <Table.Th>{t('buckets.access.may')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {form.grants.map(({ who, isPublic, permission }) => (
              <Table.Tr key={`${who} ${permission}`}>
                <Table.Td>
                  {who}
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
