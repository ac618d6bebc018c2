import { Barrel } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCoreStatus } from '../rpc/client.ts';
import { useAppEvents } from '../rpc/app-events.ts';
import { EmptyState } from '../ui/empty-state.tsx';

export function Shell() {
  const { t } = useTranslation();
  const status = useCoreStatus();
  useAppEvents();
  if (status.kind === 'needs-code')
    return (
      <EmptyState
        icon={<Barrel />}
        title={t('common.needsCode.title')}
        body={t(`common.needsCode.reasons.${status.reason}`)}
      />
    );
  return <EmptyState icon={<Barrel />} title={t('common.appName')} body={t('common.loading')} />;
}
