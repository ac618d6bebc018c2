import { findNext, findPrevious, openSearchPanel, SearchQuery, setSearchQuery } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';

/** Limit of counted matches. */
const maxCounted = 1000;

/** Marks all matches of a text in an editor; '' marks none. Returns the number of matches, at most `maxCounted`. */
export function markMatches(editor: EditorView, text: string): number {
  const query = new SearchQuery({ search: text, literal: true });
  openSearchPanel(editor);
  editor.dispatch({ effects: setSearchQuery.of(query) });
  if (!query.valid) return 0;
  let count = 0;
  const cursor = query.getCursor(editor.state);
  while (count < maxCounted && cursor.next().done !== true) count += 1;
  return count;
}

/** Selects and shows the next or the previous match. Wraps around at the end. */
export function goToMatch(editor: EditorView, by: -1 | 1): void {
  if (by === 1) findNext(editor);
  else findPrevious(editor);
}

/** Returns the next match after a position, without wrapping around, or null. */
export function matchAfter(
  editor: EditorView,
  text: string,
  from: number,
): { readonly from: number; readonly to: number } | null {
  const query = new SearchQuery({ search: text, literal: true });
  if (!query.valid) return null;
  const found = query.getCursor(editor.state, from).next();
  return found.done === true ? null : found.value;
}
