import { lazy, Suspense } from 'react';
import { Welcome, type Destination } from '../../features/connections/index.ts';
import type { WindowPlace } from '../places/places.ts';

const StartLists = lazy(async () => ({ default: (await import('./start-lists.tsx')).StartLists }));

interface StartPageProps {
  readonly onOpen: (destination: Destination) => void;
  readonly onGo: (place: WindowPlace) => void;
}

/** A new tab: recent and bookmarked places, and ways to add a connection. */
export function StartPage({ onOpen, onGo }: StartPageProps) {
  return (
    <Suspense fallback={null}>
      <StartLists onGo={onGo}>{(hasPlaces) => <Welcome isShort={hasPlaces} onOpen={onOpen} />}</StartLists>
    </Suspense>
  );
}
