import { useTranslation } from 'react-i18next';
import type { SettingsDocument } from '../../../../shared/models/bucket-settings.ts';
import { Notice } from '../parts/notice.tsx';

/** Whether the policy that is there lets everybody in. */
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
