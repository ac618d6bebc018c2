import { useCallback, useMemo, useState } from 'react';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';
import type { NoticeMessage } from '../../../ui/notices/notices.tsx';
import { nameProblemText, newNameProblem, stemLength } from '../../operations/index.ts';
import { rowName, type FolderRow } from '../rows/row.ts';
import type { ShownRows } from '../rows/folder-row.ts';

/** Checks and performs the renaming of one row. */
export interface RenameService {
  /** Returns the problem with a new name, or null if the name is valid. */
  readonly problemOf: (row: FolderRow, name: string) => NoticeMessage | null;
  /** Renames the row. Throws if the new name is refused. */
  readonly submit: (row: FolderRow, name: string) => Promise<void>;
}

/** Returns what is wrong with a new name of a row in a bucket, or null for a valid name. */
export function newNameMessage(
  name: string,
  row: FolderRow,
  folder: string,
  has: (kind: FolderRow['kind'], key: string) => boolean,
): NoticeMessage | null {
  const problem = newNameProblem(name, row, folder, has);
  return problem === null ? null : (say) => nameProblemText(problem, say);
}

/** The text and selection in the name field. Kept outside the field, which is removed while its row is scrolled out of view. */
export class RenameDraft {
  text: string;
  selected: readonly [number, number];

  constructor(text: string, selected: readonly [number, number]) {
    this.text = text;
    this.selected = selected;
  }

  /** Stores the text and selection of the field. */
  edit(text: string, selected: readonly [number, number]): void {
    this.text = text;
    this.selected = selected;
  }

  /** Replaces the selection with a text, like typing into the field. */
  type(text: string): void {
    const [from, to] = this.selected;
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.selected = [from + text.length, from + text.length];
  }
}

/** A row whose name is being edited in place. */
export interface RowRename extends RenameService {
  readonly row: FolderRow;
  readonly name: string;
  readonly draft: RenameDraft;
  /** Ends the edit. With `isLeft`, another element has taken focus and keeps it. */
  readonly end: (isLeft: boolean) => void;
  /** Called if the field is removed before the edit has ended, for example because the row is scrolled out of view. */
  readonly onHidden: () => void;
}

interface Edit {
  readonly of: string;
  readonly row: FolderRow;
  readonly draft: RenameDraft;
}

interface Needs extends RenameService {
  /** The id of the folder. A change of folder ends the edit. */
  readonly of: string;
  readonly model: ShownRows | null;
  readonly isComplete: boolean;
  readonly showRow: (position: number) => void;
  readonly focusList: () => void;
}

/**
 * Tracks which row's name is being edited. The edit survives scrolling, sorting and a refresh, and ends when the row has left the
 * folder. The functions passed in must not change (ui/use-stable).
 */
export function useRowRename(needs: Needs) {
  const { of, model, isComplete, problemOf, submit, showRow, focusList } = needs;
  const [lastEdit, setEdit] = useState<Edit | null>(null);
  const edit = lastEdit?.of === of ? lastEdit : null;
  const begin = useCallback(
    (row: FolderRow) => {
      const name = model?.nameOf(row) ?? rowName(row, '');
      const draft = new RenameDraft(name, [0, stemLength(name, row.kind === 'folder')]);
      passKeysToNextField('page');
      setEdit({ of, row, draft });
      const position = model?.positionOf(model.find(row.kind, row.key)) ?? -1;
      if (position !== -1) showRow(position);
    },
    [of, model, showRow],
  );
  const isRowGone =
    edit !== null && isComplete && model !== null && model.find(edit.row.kind, edit.row.key) === -1;
  if (isRowGone) setEdit(null);
  const rename = useMemo<RowRename | null>(
    () =>
      edit === null
        ? null
        : {
            row: edit.row,
            name: model?.nameOf(edit.row) ?? rowName(edit.row, ''),
            draft: edit.draft,
            problemOf,
            submit,
            end: (isLeft) => {
              setEdit((now) => (now === edit ? null : now));
              if (!isLeft) focusList();
            },
            onHidden: focusList,
          },
    [edit, model, problemOf, submit, focusList],
  );
  return { rename, begin };
}

/** Returns the edit of this row's name, or null if this row is not being renamed. */
export function renameOf(rename: RowRename | null, { kind, key }: FolderRow): RowRename | null {
  return rename !== null && rename.row.kind === kind && rename.row.key === key ? rename : null;
}
