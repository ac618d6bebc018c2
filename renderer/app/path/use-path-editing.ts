import { useEffect, useState } from 'react';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import { hasNoFocusedElement } from '../../ui/keyboard/keyboard-place.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { PaneId } from '../places/navigation.ts';

export interface PathEditing {
  /** The pane whose path is being edited, or null. */
  readonly pane: PaneId | null;
  readonly onEdit: (pane: PaneId, editing: boolean) => void;
  /** Starts or ends editing the path of the active pane. */
  readonly onEditActive: (editing: boolean) => void;
}

/** Returns which pane's path is being edited. Calls `focusList` when editing ends and no other element has focus. */
export function usePathEditing(activePane: PaneId, focusList: () => void): PathEditing {
  const [pane, setPane] = useState<PaneId | null>(null);
  const path = useStable({
    onEdit: (of: PaneId, editing: boolean) => setPane(editing ? of : null),
    onEditActive: (editing: boolean) => {
      if (editing && pane === null) passKeysToNextField('page');
      path.onEdit(activePane, editing);
    },
    /** Runs after the commit that removed the field. Moving focus earlier would force a layout of the page that is being left. */
    onEdited: () => {
      if (hasNoFocusedElement()) focusList();
    },
  });
  const isEditing = pane !== null;
  useEffect(() => (isEditing ? path.onEdited : undefined), [isEditing, path]);
  return { pane, onEdit: path.onEdit, onEditActive: path.onEditActive };
}
