import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/empty-state.tsx';
import type { NeedsCodeReason } from '../rpc/core-link.ts';
import { Logo } from './logo.tsx';

/** Shown if this tab is not signed in. Explains how to get a working address. */
export function NeedsCode({ reason }: { readonly reason: NeedsCodeReason }) {
  const { t } = useTranslation();
  // Reloads the page for a new sign-in address, which differs only in its fragment. The browser would not load it again.
  useEffect(() => {
    const load = (): void => {
      location.reload();
    };
    window.addEventListener('hashchange', load);
    return () => {
      window.removeEventListener('hashchange', load);
    };
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
