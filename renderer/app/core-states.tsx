import { Button, Group } from '@mantine/core';
import { Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useEffect } from 'react';
import { coreLink, useCoreStatus } from '../rpc/client.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import type { NeedsCodeReason } from '../rpc/core-link.ts';
import { Logo } from './logo.tsx';

/** Number of attempts (about 15 seconds) after which Cooper was probably closed rather than busy. */
const triesUntilGone = 5;

/** Says that the core is unreachable and that the window is reconnecting. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const status = useCoreStatus();
  if (status.kind !== 'lost') return null;
  const isGone = status.failedTries >= triesUntilGone;
  return (
    <Group
      role="alert"
      wrap="nowrap"
      flex="none"
      justify="center"
      gap={10}
      mih={34}
      py={4}
      px="md"
      bg="var(--cooper-warning-soft)"
      c="var(--cooper-warning)"
    >
      <Unplug size={16} aria-hidden />
      <span>{t(isGone ? 'common.connection.lostLong' : 'common.connection.lost')}</span>
      <Button variant="default" size="compact-xs" onClick={() => coreLink.tryNow()}>
        {t('common.connection.tryNow')}
      </Button>
    </Group>
  );
}

/** Shown if this tab is not signed in. Explains how to get a working address. */
export function NeedsCode({ reason }: { readonly reason: NeedsCodeReason }) {
  const { t } = useTranslation();
  // Reloads the page for a new sign-in address, which differs only in its fragment. The browser would not load it again.
  useEffect(() => {
    const load = (): void => location.reload();
    window.addEventListener('hashchange', load);
    return () => window.removeEventListener('hashchange', load);
  }, []);
  return (
    <main style={{ height: '100%' }}>
      <EmptyState
        icon={<Logo size={36} />}
        title={t('common.needsCode.title')}
        body={
          <>
            <p>{t(`common.needsCode.reasons.${reason}`)}</p>
            <p>{t('common.needsCode.body')}</p>
            <p>{t('common.needsCode.steps')}</p>
          </>
        }
      />
    </main>
  );
}
