import { Images, LayoutDashboard, List, type LucideIcon } from 'lucide-react';
import type { Ref } from 'react';
import { z } from 'zod/mini';
import type { CommandId } from '../../../../shared/commands.ts';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { RowEventOptions } from './row-events.ts';
import type { OpenFolder } from '../folder/use-folder.ts';
import type { FolderRow } from '../rows/row.ts';
import type { NameSpan } from '../../../../shared/keys/name-match.ts';
import type { ShownRows } from '../rows/folder-row.ts';

/** The ways to show a folder, in display order. A new view needs a name here, an entry in `viewFacts`, and a component. */
export const folderViews = ['list', 'gallery', 'map'] as const;
export type FolderView = (typeof folderViews)[number];
/** The views that show rows, each with a case in folder-rows.tsx. The window renders the map. */
export const rowViews = ['list', 'gallery'] as const satisfies readonly FolderView[];
export type RowView = (typeof rowViews)[number];

interface ViewFacts {
  readonly command: Extract<CommandId, `view${string}`>;
  readonly icon: LucideIcon;
}

/** Command and icon of each view. The labels are the messages `objects.views.<view>`. */
export const viewFacts: Readonly<Record<FolderView, ViewFacts>> = {
  list: { command: 'viewList', icon: List },
  gallery: { command: 'viewGallery', icon: Images },
  map: { command: 'viewMap', icon: LayoutDashboard },
};

/** How much of the list has loaded. */
export type ListedRows = Pick<OpenFolder, 'hasMore' | 'isFetching' | 'nextError' | 'fetchAhead' | 'retry'>;

/** The props of a view that draws rows. */
export interface RowViewProps extends RowEventOptions {
  readonly label: string;
  readonly model: ShownRows;
  readonly folder: ListedRows;
  readonly footerPx: number;
  readonly dimmed: ReadonlySet<string> | null;
  /** Returns the part of a row's name to highlight. Absent unless the rows match a search. */
  readonly foundIn?: (row: FolderRow) => NameSpan | null;
  readonly ref?: Ref<RowViewHandle>;
}

/** The props of one row of a view. */
export interface ViewRowProps {
  readonly id: string;
  readonly row: FolderRow;
  readonly name: string;
  readonly found: NameSpan | null;
  readonly position: number;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
}

export interface RowViewHandle {
  focus(): void;
}

const viewSchema = z.enum(folderViews);

/** Returns the view for the folders in a bucket. It is stored per bucket, like the order and the columns. */
export function useFolderView(place: Pick<FolderPlace, 'connectionId' | 'bucket'>) {
  const { value: view, isSettled, set } = useKeptView<FolderView>(nameOfView(place), viewSchema, 'list');
  /** `isKnown`: true once the stored view has been read. */
  return { view, isKnown: isSettled, setView: set };
}

/** Returns the name under which the view of a bucket's folders is stored. */
export function nameOfView({ connectionId, bucket }: Pick<FolderPlace, 'connectionId' | 'bucket'>): string {
  return `view:${connectionId}:${bucket}`;
}
