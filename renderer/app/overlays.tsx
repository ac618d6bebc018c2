import { lazy, memo, Suspense } from 'react';
import type { WindowPlace } from './places/places.ts';
import { closeOverlay, useOpenOverlay, type OverlayServices } from './commands/overlay-store.ts';

const PaletteDialog = lazy(async () => ({
  default: (await import('./palette/palette-dialog.tsx')).PaletteDialog,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./commands/shortcuts-dialog.tsx')).ShortcutsDialog,
}));

interface OverlaysProps {
  readonly services: OverlayServices;
  readonly place: WindowPlace;
}

/** Renders the overlay that `openOverlay` requested. Mounted once. */
export const Overlays = memo(function Overlays({ services, place }: OverlaysProps) {
  const open = useOpenOverlay();
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      {open === 'shortcuts' ? (
        <ShortcutsDialog onClose={closeOverlay} />
      ) : (
        <PaletteDialog key={open} kind={open} services={services} place={place} onClose={closeOverlay} />
      )}
    </Suspense>
  );
});
