import { create } from 'zustand';
import type { Edit, EditPlace } from '../../../shared/models/edits.ts';
import { base64Of } from '../../rpc/base64.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

const useClaimStore = create<{ readonly editIds: ReadonlySet<string> }>()(() => ({ editIds: new Set() }));

/** Marks an edit that an open editor in this window asks about, so that no notice asks as well. */
function claimEdit(editId: string): void {
  useClaimStore.setState(({ editIds }) => ({ editIds: new Set([...editIds, editId]) }));
}

function releaseEdit(editId: string): void {
  useClaimStore.setState(({ editIds }) => ({
    editIds: new Set([...editIds].filter((claimedId) => claimedId !== editId)),
  }));
}

export function useClaimedEdits(): ReadonlySet<string> {
  return useClaimStore(({ editIds }) => editIds);
}

/** The saves of one editor. */
export interface TextEdit {
  /** Stores the text on disk and uploads it. Rejects if the text is only in the window. */
  readonly save: (bytes: Uint8Array<ArrayBuffer>) => Promise<Edit>;
  /** Overwrites another client's version with the last saved text. */
  readonly overwrite: () => Promise<Edit | null>;
  /** Removes the copy on disk, including text that has not reached the bucket. */
  readonly discard: () => Promise<void>;
  /** Ends editing when the editor closes. Removes a copy that the bucket has; for any other copy, a notice asks the user. */
  readonly end: () => void;
}

/** Returns the functions with which an editor in the window saves. `etag` identifies the version from which the text was read. */
export function textEdit(place: EditPlace, etag: string): TextEdit {
  let last: Edit | null = null;
  const remember = (edit: Edit): Edit => {
    last = edit;
    return edit;
  };
  const discard = async (): Promise<void> => {
    if (last === null) return;
    const { id } = last;
    last = null;
    await rpc.edits.discard({ editId: id });
    releaseEdit(id);
  };
  return {
    save: async (bytes: Uint8Array<ArrayBuffer>): Promise<Edit> => {
      const contentBase64 = await base64Of(new Blob([bytes]));
      const edit = await rpc.edits.save({
        ...place,
        editId: last?.id ?? null,
        etag: last?.etag ?? etag,
        contentBase64,
      });
      claimEdit(edit.id);
      return remember(edit);
    },
    overwrite: async (): Promise<Edit | null> => {
      if (last === null) return null;
      const { id } = last;
      await rpc.edits.overwrite({ editId: id });
      const edit = (await rpc.edits.list()).find((candidate) => candidate.id === id);
      return edit === undefined ? null : remember(edit);
    },
    discard,
    end: (): void => {
      if (last?.state === 'open') discard().catch(reportError);
      else if (last !== null) releaseEdit(last.id);
    },
  };
}

/** Downloads an object and opens it with the system's program for its type. Shows errors as notices. */
export function openAndEdit(object: EditPlace): void {
  sayingFailure(() => rpc.edits.open(object));
}
