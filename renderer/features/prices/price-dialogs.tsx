import { lazy, memo, Suspense } from 'react';
import { closePriceDialog, usePriceDialog } from './price-dialog-store.ts';

const PriceDialog = lazy(async () => ({ default: (await import('./price-dialog.tsx')).PriceDialog }));

/** Renders the dialog that openPriceDialog requested. Mounted once, by the application. */
export const PriceDialogs = memo(function PriceDialogs({
  nameOf,
}: {
  /** The name of a connection, as the window shows it. */
  readonly nameOf: (connectionId: string) => string;
}) {
  const { request, serial } = usePriceDialog();
  if (request === null) return null;
  return (
    <Suspense fallback={null}>
      <PriceDialog
        key={serial}
        connectionId={request.connectionId}
        name={nameOf(request.connectionId)}
        onClose={closePriceDialog}
      />
    </Suspense>
  );
});
