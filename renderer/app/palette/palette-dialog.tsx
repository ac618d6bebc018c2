import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import type { Overlay, OverlayServices } from '../commands/overlay-store.ts';
import type { WindowPlace } from '../places/places.ts';
import { Chooser } from './chooser.tsx';
import { useCommandEntries, usePlaceEntries, useRowEntries } from './palette-entries.ts';
import { useBucketChoice, useQuickOpen } from './use-quick-open.ts';

interface PaletteProps extends DialogProps<Exclude<Overlay, { kind: 'shortcuts' }>> {
  readonly services: OverlayServices;
  readonly place: WindowPlace;
}

/** Finds commands and locations, or everything that Cooper knows by name, by parts of their names. */
export function PaletteDialog(props: PaletteProps) {
  const { t } = useTranslation();
  const { request, onClose } = props;
  const { kind } = request;
  /** The text to search for while the user chooses a bucket, or null if the palette asks for no bucket. */
  const [searched, setSearched] = useState<string | null>(null);
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      size={600}
      padding={0}
      yOffset="10dvh"
      attributes={{
        content: {
          'aria-label': t(kind === 'commands' ? 'common.shell.palette' : 'common.palette.quickOpen'),
        },
      }}
    >
      {kind === 'commands' ? (
        <CommandChooser {...props} />
      ) : searched === null ? (
        <PlaceChooser {...props} onSearchWhere={setSearched} />
      ) : (
        <BucketChooser {...props} searched={searched} />
      )}
    </Dialog>
  );
}

function CommandChooser({ services, place, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const commands = useCommandEntries(services, place);
  const places = usePlaceEntries(place, services.onGo);
  return (
    <Chooser
      typed={typed}
      onTyped={setTyped}
      groups={[commands, ...places.groups]}
      isWhole={places.isWhole}
      placeholder={t('common.palette.placeholder')}
      onClose={onClose}
    />
  );
}

interface PlaceChooserProps extends PaletteProps {
  /** Asks in which bucket to search for this text. */
  readonly onSearchWhere: (text: string) => void;
}

function PlaceChooser({ services, place, onClose, onSearchWhere }: PlaceChooserProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const places = usePlaceEntries(place, services.onGo);
  const rows = useRowEntries(place.kind === 'folder' ? place : null, services);
  const quick = useQuickOpen({ typed, place, services, onSearchWhere });
  return (
    <Chooser
      typed={typed}
      onTyped={setTyped}
      groups={[...places.groups.toReversed(), ...rows]}
      quick={quick}
      isWhole={places.isWhole}
      placeholder={t('common.palette.placesPlaceholder')}
      onClose={onClose}
    />
  );
}

interface BucketChooserProps extends PaletteProps {
  readonly searched: string;
}

function BucketChooser({ services, searched, onClose }: BucketChooserProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const buckets = useBucketChoice((bucket) => services.onSearch(bucket, searched));
  return (
    <Chooser
      typed={typed}
      onTyped={setTyped}
      groups={[buckets]}
      isWhole
      placeholder={t('palette.searchWhere')}
      onClose={onClose}
    />
  );
}
