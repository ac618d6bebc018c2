import { useState } from 'react';
import { commandIds, factsOf, isWindowCommand, type WindowCommand } from '../../../shared/commands.ts';
import { pageRun, windowHost } from '../../ui/keyboard/commands.ts';
import { useStable } from '../../ui/use-stable.ts';
import { hasSelected, type Commands, type CommandWindow, type DefinedCommand } from './define-command.ts';
import { goCommands, viewCommands } from './view-commands.ts';
import { objectCommands } from './object-commands.ts';
import { programCommands } from './program-commands.ts';
import { transferCommands } from './transfer-commands.ts';

/** All commands of the window. The compiler refuses a command of `shared/commands.ts` that is defined nowhere. */
export const windowCommands: readonly DefinedCommand[] = everyCommand([
  ...goCommands,
  ...objectCommands,
  ...transferCommands,
  ...viewCommands,
  ...programCommands,
]);

function everyCommand<Id extends WindowCommand>(
  all: readonly DefinedCommand<Id>[] & (WindowCommand extends Id ? unknown : never),
): readonly DefinedCommand[] {
  return all;
}

interface WindowCommands {
  /** Runs the handler that a page in the active pane has registered (`useCommandRuns`), otherwise the window's. */
  readonly commands: Commands;
  /** Runs the window's handler. Pages get these functions, since their own handlers call them. */
  readonly windowRuns: Commands;
  /** Returns the commands that the palette offers now, in the order of `commandIds`. */
  readonly offered: () => readonly WindowCommand[];
}

/** Returns the functions that run the commands in this window. They never change. */
export function useCommands(window: CommandWindow): WindowCommands {
  const { latest } = useStable({ latest: () => window });
  const [runs] = useState(() => commandRuns(latest));
  return runs;
}

/** Returns the functions that run the commands in the window that `latest` returns. */
export function commandRuns(latest: () => CommandWindow): WindowCommands {
  const windowRuns = Object.fromEntries(
    windowCommands.map(({ id, enabled, run, isOnRows, isAheadOfRender }) => [
      id,
      () => {
        const window = latest();
        if (!isAheadOfRender && !enabled(window)) return;
        const rows = window.folder.current;
        if (isOnRows && rows?.withSelected !== undefined) rows.withSelected(() => run(latest()));
        else run(window);
      },
    ]),
  ) as Commands;
  const commands = Object.fromEntries(
    windowCommands.map(({ id }) => [id, () => (pageRun(id) ?? windowRuns[id])()]),
  ) as Commands;
  return { commands, windowRuns, offered: () => offeredCommands(latest()) };
}

/** Returns the commands that cannot run in this state of the window, which the toolbar and the menus disable. */
export function disabledCommands(window: CommandWindow): ReadonlySet<WindowCommand> {
  return new Set(windowCommands.filter(({ enabled }) => !enabled(window)).map(({ id }) => id));
}

/** Returns the commands that can run on this page, in the order of `commandIds`. */
export function offeredCommands(window: CommandWindow): readonly WindowCommand[] {
  const { kind } = window.place;
  const canRun = new Set<WindowCommand>(
    windowCommands
      .filter(
        ({ enabled, isOnRows }) => enabled(window) && (!isOnRows || kind !== 'search' || hasSelected(window)),
      )
      .map(({ id }) => id),
  );
  return commandIds.filter(isWindowCommand).filter((id) => {
    const { when, isDesktopOnly } = factsOf(id);
    const isOfPage = when === 'window' || kind === 'folder' || (kind === 'search' && when !== 'folder');
    return isOfPage && canRun.has(id) && (isDesktopOnly !== true || windowHost() === 'desktop');
  });
}
