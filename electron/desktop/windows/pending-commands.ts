import type { WebContents } from 'electron';
import type { WindowCommand } from '../../../shared/commands.ts';
import { commandChannel } from '../page/channels.ts';

/**
 * Commands for one page. Electron drops messages to a page that has no listener yet, so they are held until the page listens.
 * After a reload they are held again.
 */
export class PendingCommands {
  readonly #contents: WebContents;
  #isListening = false;
  #held: WindowCommand[] = [];

  constructor(contents: WebContents) {
    this.#contents = contents;
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#isListening = false;
    });
    contents.on('render-process-gone', () => {
      this.#isListening = false;
    });
  }

  send(command: WindowCommand): void {
    if (this.#isListening) this.#contents.send(commandChannel, command);
    else this.#held.push(command);
  }

  /** Sends what was held, in order. */
  listening(): void {
    this.#isListening = true;
    const held = this.#held;
    this.#held = [];
    for (const command of held) this.#contents.send(commandChannel, command);
  }
}
