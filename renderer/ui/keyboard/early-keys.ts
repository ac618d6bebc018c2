import { factsOf } from '../../../shared/commands.ts';
import { commandOf, runsInFields } from './commands.ts';
import { usesCommandKey } from './shortcuts.ts';

/** Text typed while a field was loading. */
export interface EarlyText {
  readonly text: string;
  /** True if the text replaces all of the field, and not only what the field selects when it appears. */
  readonly replacesAll: boolean;
  /** True if Enter was pressed after the text. Keys after Enter are dropped. */
  readonly isSent: boolean;
}

/** Captures keys while a field is loading. */
export interface EarlyKeys {
  /** Returns the text typed so far and stops capturing keys. */
  readonly take: () => EarlyText;
}

/** The part of the window in which the field appears. A dialog disables the window's commands, also while it loads. */
export type EarlyField = 'page' | 'dialog';

/** Time in milliseconds after which capturing stops, because the field has failed to load. */
const longestMs = 30_000;

/** Runs a function later. Returns a function that cancels the call. */
type Later = (run: () => void, ms: number) => () => void;

const timer: Later = (run, ms) => {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
};

/** Keys that edit or submit a field, or move in it or out of it. In a list they would move, open or delete rows. */
const fieldKeys: ReadonlySet<string> = new Set([
  'Enter',
  'Backspace',
  'Delete',
  'Insert',
  'Tab',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ContextMenu',
]);

/**
 * Captures keys for a field that is loading, such as the field in a lazily loaded dialog, as if it had focus already. Otherwise
 * the list, which still has focus, would move, open or delete rows, and Ctrl+Z would undo an operation.
 */
export function catchEarlyKeys(
  field: EarlyField,
  target: EventTarget = window,
  later: Later = timer,
): EarlyKeys {
  let early = noText;
  const press = (event: Event): void => {
    if (!isKeyPress(event) || event.isComposing) return;
    if (event.key === 'Escape') {
      // Escape means that the user cancels, so later keys are not captured.
      end();
      return;
    }
    if (!isForField(event, field)) return;
    event.stopImmediatePropagation();
    // A paste reaches the page as another event, which has the text.
    if (isPaste(event)) return;
    event.preventDefault();
    if (!early.isSent) early = edited(early, event);
  };
  const paste = (event: Event): void => {
    if (!isClipboardEvent(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    // A field of one line shows line breaks as spaces.
    if (pasted !== '' && !early.isSent) early = typed(early, pasted.replaceAll(/\s*[\r\n]+\s*/gu, ' '));
  };
  const end = (): void => {
    target.removeEventListener('keydown', press, { capture: true });
    target.removeEventListener('paste', paste, { capture: true });
    target.removeEventListener('pointerdown', end, { capture: true });
    callOff();
    early = noText;
  };
  target.addEventListener('keydown', press, { capture: true });
  target.addEventListener('paste', paste, { capture: true });
  // A click means that the user no longer waits for the field.
  target.addEventListener('pointerdown', end, { capture: true });
  const callOff = later(end, longestMs);
  return {
    take: () => {
      const { text, replacesAll, isSent } = early;
      end();
      return { text, replacesAll, isSent };
    },
  };
}

interface EarlyDraft extends EarlyText {
  readonly isAllSelected: boolean;
}

const noText: EarlyDraft = { text: '', replacesAll: false, isSent: false, isAllSelected: false };

function edited(draft: EarlyDraft, event: KeyboardEvent): EarlyDraft {
  if (typesCharacter(event)) return typed(draft, event.key);
  const command = commandOf(event);
  // A field undoes all that was typed as one step.
  if (command === 'undo') return noText;
  if (command === 'selectAll') return { ...draft, isAllSelected: true };
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key === 'Enter' && !isModified) return { ...draft, isSent: true };
  if (event.key !== 'Backspace' && event.key !== 'Delete') return draft;
  if (draft.isAllSelected) return typed(draft, '');
  if (event.key === 'Delete') return draft;
  return { ...draft, text: draft.text.replace(isModified ? /\S*\s*$/u : /.$/su, '') };
}

function typed(draft: EarlyDraft, text: string): EarlyDraft {
  return draft.isAllSelected
    ? { ...draft, text, replacesAll: true, isAllSelected: false }
    : { ...draft, text: draft.text + text };
}

/** Returns false for keys that work the same in a field, such as a command of the window that is not an edit. */
function isForField(event: KeyboardEvent, field: EarlyField): boolean {
  if (typesCharacter(event)) return true;
  const command = commandOf(event);
  if (command === null) return fieldKeys.has(event.key);
  return factsOf(command).when !== 'host' && (field === 'dialog' || !runsInFields(command));
}

/** Returns true for a key that types a character, also one with Option on a Mac or AltGr. */
function typesCharacter(event: KeyboardEvent): boolean {
  if (!/^.$/su.test(event.key)) return false;
  if (event.getModifierState('AltGraph')) return true;
  if (event.ctrlKey || event.metaKey) return false;
  return !event.altKey || (usesCommandKey() && commandOf(event) === null);
}

function isPaste(event: KeyboardEvent): boolean {
  return commandOf(event) === 'paste' || (event.key === 'Insert' && event.shiftKey);
}

function isKeyPress(event: Event): event is KeyboardEvent {
  return 'key' in event;
}

function isClipboardEvent(event: Event): event is ClipboardEvent {
  return 'clipboardData' in event;
}

let forField: EarlyKeys | null = null;

/**
 * Captures keys until a text field gets focus, and types them into the field. Call it when a view opens whose first focus is a
 * field, since the view's code may still be loading.
 */
export function passKeysToNextField(appearsIn: EarlyField): void {
  // Does nothing in unit tests of stores, which have no document.
  if (globalThis.document === undefined) return;
  forField?.take();
  const early = catchEarlyKeys(appearsIn);
  forField = early;
  const arrive = ({ target }: FocusEvent): void => {
    if (!isTextField(target)) return;
    document.removeEventListener('focusin', arrive);
    // Runs after the view has selected the text that the typed text replaces.
    setTimeout(() => {
      if (forField === early) forField = null;
      typeInto(target, early.take());
    }, 0);
  };
  document.addEventListener('focusin', arrive);
}

function isTextField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search', 'url', 'password'].includes(target.type))
  );
}

function typeInto(
  field: HTMLInputElement | HTMLTextAreaElement,
  { text, replacesAll, isSent }: EarlyText,
): void {
  if (replacesAll) field.select();
  // Edits like a key press, which replaces the selection and fires `input`, to which React listens.
  if (text !== '') document.execCommand('insertText', false, text);
  else if (replacesAll) document.execCommand('delete');
  if (!isSent) return;
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  if (field.dispatchEvent(enter)) field.form?.requestSubmit();
}
