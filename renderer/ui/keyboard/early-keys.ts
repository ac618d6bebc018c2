/** Text typed while a field was loading. */
export interface EarlyText {
  readonly text: string;
  /** Enter was pressed after the text; later keys are not kept. */
  readonly isSent: boolean;
}

/** Captures keys while a field is loading. */
export interface EarlyKeys {
  /** Returns the text typed so far and stops capturing keys. */
  readonly take: () => EarlyText;
}

/** Gives up capturing after this time; the field probably failed to load. */
const longestMs = 3000;

/** Runs a function later; returns a function that cancels it. */
type Later = (run: () => void, ms: number) => () => void;

const timer: Later = (run, ms) => {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
};

/**
 * Captures keys for a field that is loading, such as that of a lazily loaded dialog. Otherwise the list, which still has focus,
 * would handle them, and Enter would open one of its rows.
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
