import { commandIds, factsOf, isWindowCommand, type WindowCommand } from '../../../shared/commands.ts';
import { windowHost } from '../../ui/keyboard/commands.ts';

/** The function that runs each command in this window. */
export type Commands = Readonly<Record<WindowCommand, () => void>>;

/** Returns the commands available on this page, in the order of `commandIds`. */
export function offeredCommands(isFolder: boolean): readonly WindowCommand[] {
  return commandIds.filter(isWindowCommand).filter((id) => {
    const { when, isDesktopOnly } = factsOf(id);
    return (isFolder || when === 'window') && (isDesktopOnly !== true || windowHost() === 'desktop');
  });
}
