import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Component, type ErrorInfo, type ReactNode, useMemo, useState } from 'react';
import { Button, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { releaseFolder } from '../features/objects/index.ts';
import { createQueryClient } from '../rpc/query-client.ts';
import { NeedsCode } from './core-states.tsx';
import { Shell } from './shell.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { useSettings } from '../features/settings/index.ts';
import { orpc, useCoreStatus } from '../rpc/client.ts';
import { accentShades, browserAccent, hexColourOf } from '../ui/theme/accent.ts';
import { cssVariablesOf, styleNonce, theme } from '../ui/theme/theme.ts';

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Catches rendering errors, reports them, and offers a restart. */
class ErrorBoundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(new Error(`Rendering failed${info.componentStack ?? ''}`, { cause: error }));
  }

  override render(): ReactNode {
    return this.state.failed ? <Crashed /> : this.props.children;
  }
}

function Crashed() {
  const { t } = useTranslation();
  return (
    <main style={{ height: '100%' }}>
      <EmptyState
        icon={<TriangleAlert size={28} />}
        title={t('common.shell.crashed')}
        body={t('common.shell.crashedBody')}
        actions={<Button onClick={() => location.reload()}>{t('common.shell.reloadWindow')}</Button>}
      />
    </main>
  );
}

/** The window: its content inside the providers that all components use (queries, theme, error boundary). */
export function App() {
  const [queries] = useState(() => createQueryClient(releaseFolder));
  return (
    <QueryClientProvider client={queries}>
      <Themed>
        <ModalsProvider>
          <Notifications position="bottom-left" layout="stacked" zIndex={290} limit={4} />
          <Content />
        </ModalsProvider>
      </Themed>
    </QueryClientProvider>
  );
}

function Content() {
  const status = useCoreStatus();
  if (status.kind === 'needs-code') return <NeedsCode reason={status.reason} />;
  return (
    <ErrorBoundary>
      <Shell />
    </ErrorBoundary>
  );
}

/** Applies the theme, with the system's accent colour if the user wants it and the system exposes it. */
function Themed({ children }: { readonly children: ReactNode }) {
  const { settings } = useSettings();
  const close = useTranslation().t('common.close');
  const info = useQuery(orpc.app.info.queryOptions()).data;
  const [browserColour] = useState(browserAccent);
  // Only the page can ask for the accent colour in a browser. On the desktop, the core reads it from the system.
  const known = info?.host === 'browser' ? browserColour : hexColourOf(info?.accent ?? '');
  const accent = settings.systemAccent ? known : null;
  const { themed, resolver } = useMemo(() => {
    const shades = accentShades(accent);
    return {
      themed: mergeThemeOverrides(theme, {
        colors: { accent: shades.scale },
        // Sets the label of the close button for every notice.
        components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } },
      }),
      resolver: cssVariablesOf(shades),
    };
  }, [accent, close]);
  return (
    <MantineProvider
      theme={themed}
      defaultColorScheme="auto"
      cssVariablesResolver={resolver}
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
