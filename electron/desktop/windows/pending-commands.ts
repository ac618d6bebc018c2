import type { WebContents } from 'electron';
import type { WindowCommand } from '../../../shared/commands.ts';
import { commandChannel } from '../page/channels.ts';

/**
 * Sends commands to one page. Holds them until the page listens, because Electron drops messages without a listener. Also holds
 * them during a reload.
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

  /** Sends the held commands in order, now that the page listens. */
  listening(): void {
    this.#isListening = true;
    const held = this.#held;
    this.#held = [];
    for (const command of held) this.#contents.send(commandChannel, command);
  }
}
