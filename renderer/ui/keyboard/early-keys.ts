/** Text typed while a field was loading. */
export interface EarlyText {
  readonly text: string;
  /** Enter was pressed behind it; what was typed after that is not kept. */
  readonly isSent: boolean;
}

/** Keys typed while a field is on its way. */
export interface EarlyKeys {
  /** Returns the text typed so far and stops capturing keys. */
  readonly take: () => EarlyText;
}

/** A field that takes longer than this to come does not come. */
const longestMs = 3000;

/** Runs something later; gives what calls it off. */
type Later = (run: () => void, ms: number) => () => void;

const timer: Later = (run, ms) => {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
};

/**
 * Keeps what is typed for a field that is on its way, such as that of a dialog which is loaded when it is first wanted. Without
 * it the list that still has the keyboard would take the keys, and Enter would open one of its rows.
 */
export function catchEarlyKeys(target: EventTarget = window, later: Later = timer): EarlyKeys {
  let text = '';
  let isSent = false;
  const press = (event: Event): void => {
    if (!isKeyPress(event) || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') isSent = true;
    else if (event.key !== 'Backspace' && event.key.length > 1) return;
    else if (!isSent) text = event.key === 'Backspace' ? text.slice(0, -1) : text + event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const end = (): void => {
    target.removeEventListener('keydown', press, { capture: true });
    callOff();
    text = '';
    isSent = false;
  };
  target.addEventListener('keydown', press, { capture: true });
  const callOff = later(end, longestMs);
  return {
    take: () => {
      const taken = { text, isSent };
      end();
      return taken;
    },
  };
}

function isKeyPress(event: Event): event is KeyboardEvent {
  return 'key' in event;
}
