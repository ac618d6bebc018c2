import type { CommandId } from '../../../shared/commands.ts';
import palette from '../../../shared/messages/en/palette.json' with { type: 'json' };

/** Returns true if the command has synonyms by which it is also found (`palette.words` in the messages). */
export function hasSynonyms(id: CommandId): id is CommandId & keyof typeof palette.words {
  return Object.hasOwn(palette.words, id);
}

/** The commands that delete. The palette lists them last, and finds them by the starts of words but never by initials. */
export const destructiveCommands: ReadonlySet<CommandId> = new Set([
  'remove',
  'removeVersions',
  'deleteBucket',
]);
