/** Text typed while a field was loading. */
export interface EarlyText {
  readonly text: string;
  /** True if Enter was pressed after the text. Keys after Enter are dropped. */
  readonly isSent: boolean;
}

/** Captures keys while a field is loading. */
export interface EarlyKeys {
  /** Returns the text typed so far and stops capturing keys. */
  readonly take: () => EarlyText;
}

/** Time in milliseconds after which capturing stops, because the field has failed to load. */
const longestMs = 30_000;

/** Runs a function later. Returns a function that cancels the call. */
type Later = (run: () => void, ms: number) => () => void;

const timer: Later = (run, ms) => {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
};

/**
 * Captures keys for a field that is loading, such as the field in a lazily loaded dialog. Otherwise the list, which still has
 * focus, would handle these keys, and Enter would open a row.
 */
export function catchEarlyKeys(target: EventTarget = window, later: Later = timer): EarlyKeys {
  let text = '';
  let isSent = false;
  const press = (event: Event): void => {
    if (!isKeyPress(event) || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      // Escape means that the user cancels, so later keys are not captured.
      end();
      return;
    }
    if (event.key === 'Enter') isSent = true;
    else if (event.key !== 'Backspace' && event.key.length > 1) return;
    else if (!isSent) text = event.key === 'Backspace' ? text.slice(0, -1) : text + event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const end = (): void => {
    target.removeEventListener('keydown', press, { capture: true });
    target.removeEventListener('pointerdown', end, { capture: true });
    callOff();
    text = '';
    isSent = false;
  };
  target.addEventListener('keydown', press, { capture: true });
  // A click means that the user no longer waits for the field.
  target.addEventListener('pointerdown', end, { capture: true });
  const callOff = later(end, longestMs);
  return {
    take: () => {
      const pressed = { text, isSent };
      end();
      return pressed;
    },
  };
}

function isKeyPress(event: Event): event is KeyboardEvent {
  return 'key' in event;
}

let forField: EarlyKeys | null = null;

/**
 * Captures keys until a text field gets focus, and types them into the field. Call it when a view opens whose first focus is a
 * field, since the view's code may still be loading.
 */
export function passKeysToNextField(): void {
  // Does nothing in unit tests of stores, which have no document.
  if (globalThis.document === undefined) return;
  forField?.take();
  const early = catchEarlyKeys();
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

function typeInto(field: HTMLInputElement | HTMLTextAreaElement, { text, isSent }: EarlyText): void {
  // Inserts the text like a key press, which replaces the selection and fires `input`, to which React listens.
  if (text !== '') document.execCommand('insertText', false, text);
  if (!isSent) return;
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  if (field.dispatchEvent(enter)) field.form?.requestSubmit();
}
