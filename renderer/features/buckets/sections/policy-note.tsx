import { useTranslation } from 'react-i18next';
import type { SettingsDocument } from '../../../../shared/models/bucket-settings.ts';
import { Notice } from '../parts/notice.tsx';

/** Shows whether the stored policy makes the bucket public. */
export function PolicyNote({ document }: { readonly document: SettingsDocument }) {
  const { t } = useTranslation();
  const { publicness } = document;
  if (publicness === null) return <Notice tone="quiet">{t('buckets.settings.absent')}</Notice>;
  return (
    <Notice tone={publicness === 'private' ? 'ok' : 'warning'}>
      {t(`buckets.policy.${publicness}`)} {publicness === 'private' ? null : t('buckets.policy.block')}
    </Notice>
  );
}
