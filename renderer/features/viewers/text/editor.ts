import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { openSearchPanel, search, SearchQuery, setSearchQuery } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../../../ui/theme/theme.ts';
import { hasCrowdedLine } from './special-characters.ts';

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

/** Returns the next match after a position, without wrapping around, or null. */
export function matchAfter(editor: EditorView, text: string, from: number) {
  const query = new SearchQuery({ search: text, literal: true });
  if (!query.valid) return null;
  const found = query.getCursor(editor.state, from).next();
  return found.done === true ? null : found.value;
}

const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--cooper-surface)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-gutters': {
    backgroundColor: 'var(--cooper-sidebar)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--cooper-border)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-activeLine': { backgroundColor: 'light-dark(#0000000a, #ffffff0a)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'light-dark(#b9d7f2, #2f4d68)',
  },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#ffe9a8, #6b5a1e)' },
  '.cm-searchMatch-selected': { backgroundColor: 'light-dark(#ffc36b, #8f6410)' },
  '.cm-panels': { display: 'none' },
  '.cm-specialChar': { color: 'light-dark(#b3261e, #ff8a80)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.atom, tags.bool], color: 'light-dark(#8a1d6e, #e5a3d8)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'light-dark(#1f6b2e, #9ad19f)' },
  { tag: [tags.comment, tags.docComment], color: 'light-dark(#59666d, #9ba5ab)' },
  { tag: [tags.number, tags.unit], color: 'light-dark(#8a4b08, #e8b27a)' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'light-dark(#1c5a8a, #8cc4ef)' },
  {
    tag: [tags.typeName, tags.tagName, tags.className, tags.definition(tags.variableName)],
    color: 'light-dark(#6a4ba0, #c5b0f0)',
  },
  { tag: [tags.meta, tags.processingInstruction], color: 'light-dark(#1c6470, #85c9d4)' },
  { tag: [tags.inserted], color: 'light-dark(#1f6b2e, #9ad19f)' },
  { tag: [tags.deleted, tags.invalid], color: 'light-dark(#b3261e, #ff8a80)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
]);

export interface EditorParts {
  readonly wrap: Compartment;
  readonly language: Compartment;
  readonly numbers: Compartment;
}

/** Creates the changeable settings of an editor. */
export function editorParts(): EditorParts {
  return { wrap: new Compartment(), language: new Compartment(), numbers: new Compartment() };
}

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** The editor's name for screen readers. */
  readonly label: string;
  readonly parts: EditorParts;
  /** The line end to keep, or null for a read-only editor. */
  readonly lineEnd: string | null;
  readonly extensions: Extension;
}

/** Opens a CodeMirror editor in the colours of the window. The editor's style element carries the page's nonce. */
export function openEditor(options: EditorOptions): EditorView {
  const { parent, text, label, parts, lineEnd } = options;
  const writing: Extension =
    lineEnd === null
      ? [EditorState.readOnly.of(true)]
      : [history(), keymap.of([...historyKeymap, indentWithTab]), EditorState.lineSeparator.of(lineEnd)];
  const state = EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(styleNonce()),
      parts.numbers.of(lineNumbers()),
      // Each marked character becomes an element, so a text with very many in a line is not marked.
      hasCrowdedLine(text) ? [] : highlightSpecialChars(),
      drawSelection(),
      highlightActiveLine(),
      syntaxHighlighting(colours),
      editorTheme,
      // The window has its own search field. Without a panel, CodeMirror does not mark matches.
      search({ createPanel: () => ({ dom: document.createElement('div') }) }),
      keymap.of(defaultKeymap),
      parts.wrap.of([]),
      parts.language.of([]),
      EditorView.contentAttributes.of({
        'aria-label': label,
        tabindex: '0',
        ...(lineEnd === null ? { 'aria-readonly': 'true' } : {}),
      }),
      writing,
      options.extensions,
    ],
  });
  return new EditorView({ state, parent });
}
