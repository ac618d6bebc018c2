import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { releaseFolder } from '../features/objects/index.ts';
import { createQueryClient } from '../rpc/query-client.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { Themed } from './themed.tsx';

/** The providers around the window's content. */
export function App() {
  const [queries] = useState(() => createQueryClient(releaseFolder));
  return (
    <QueryClientProvider client={queries}>
      <Themed>
        <ModalsProvider>
          <Notifications position="bottom-left" layout="stacked" zIndex={290} limit={4} />
          <ErrorBoundary>
            <Shell />
          </ErrorBoundary>
        </ModalsProvider>
      </Themed>
    </QueryClientProvider>
  );
}
