import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderHandle } from '../../features/objects/index.ts';
import { beginTransfer, type OperationServices } from '../../features/operations/index.ts';
import { downloadInto, uploadFiles } from '../../features/transfers/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { beginPricedRows } from '../services/priced-download.ts';
import { handlesOf, downloadItemsOf } from '../commands/chosen-rows.ts';
import type { Commands } from '../commands/window-commands.ts';
import { otherPaneOf, paneOf, placeOf, type NavigationAction, type Tab } from '../places/navigation.ts';
import type { FolderWindowPlace, LocalWindowPlace, WindowPlace } from '../places/places.ts';

interface Needs {
  readonly tab: Tab;
  /** In the active pane. */
  readonly folder: RefObject<FolderHandle | null>;
  readonly services: OperationServices;
  readonly dispatch: (action: NavigationAction) => void;
}

type Refusal = 'noOther' | 'bothLocal' | 'noFolder' | 'nothing' | 'onlyCopies';

function refuse(why: Refusal): void {
  showNotice({ message: (say) => say(`common.panes.${why}`), staysMs: 5000 });
}

/** Returns true if files can be copied from and to this location: a folder in a bucket or on this computer. */
function isPlace(place: WindowPlace): place is FolderWindowPlace | LocalWindowPlace {
  return place.kind === 'folder' || (place.kind === 'local' && place.trail.length > 0);
}

/** Returns the commands for the two panes of a tab. */
export function usePaneCommands({
  tab,
  folder,
  services,
  dispatch,
}: Needs): Pick<Commands, 'togglePanes' | 'otherPane' | 'copyToPane' | 'moveToPane'> {
  const { t } = useTranslation();
  const transfer = (isMove: boolean): void => {
    const from = placeOf(paneOf(tab));
    const other = otherPaneOf(tab);
    const to = other === null ? null : placeOf(other);
    const rows = folder.current?.selected() ?? [];
    const localTarget = to?.kind === 'local' ? to.trail.at(-1) : undefined;
    if (to === null) refuse('noOther');
    else if (from.kind === 'local' && to.kind === 'local') refuse('bothLocal');
    else if (!isPlace(from) || !isPlace(to)) refuse('noFolder');
    else if (rows.length === 0) refuse('nothing');
    else if (isMove && (from.kind === 'local' || to.kind === 'local')) refuse('onlyCopies');
    else if (from.kind === 'folder' && to.kind === 'folder')
      beginTransfer({ from, rows, to, isMove }, services, t);
    else if (from.kind === 'local' && to.kind === 'folder') uploadFiles(to, handlesOf(rows));
    else if (from.kind === 'folder' && localTarget !== undefined)
      beginPricedRows(from, rows, () => downloadInto(from, downloadItemsOf(rows), localTarget.handle), t);
  };
  return useStable({
    togglePanes: () => {
      dispatch({ kind: 'split' });
    },
    otherPane: () => {
      dispatch({ kind: 'other-pane' });
    },
    copyToPane: () => {
      transfer(false);
    },
    moveToPane: () => {
      transfer(true);
    },
  });
}
