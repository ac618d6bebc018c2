import { Button } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/empty-state.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Catches rendering errors: reports the error and offers a restart. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(new Error(`Drawing failed${info.componentStack ?? ''}`, { cause: error }));
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
        actions={
          <Button
            onClick={() => {
              location.reload();
            }}
          >
            {t('common.shell.reloadWindow')}
          </Button>
        }
      />
    </main>
  );
}
