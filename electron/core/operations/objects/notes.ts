import type { ItemNote } from '../../../../shared/models/transfers.ts';

type Note = ItemNote | null;

/**
 * Returns the note that the ACL could not be read. It replaces any other note, except that it is combined with that of a changed
 * encryption.
 */
export function notedAclUnread(note: Note): Note {
  return isOfEncryption(note) ? 'acl-unread-encryption-changed' : 'acl-unread';
}

/**
 * Adds the note of a changed encryption, or removes it, because an earlier copy may have been encrypted differently. Keeps the
 * note of an unread ACL.
 */
export function notedEncryption(note: Note, isLost: boolean): Note {
  const isUnread = note === 'acl-unread' || note === 'acl-unread-encryption-changed';
  if (isLost) return isUnread ? 'acl-unread-encryption-changed' : 'encryption-changed';
  if (!isOfEncryption(note)) return note;
  return isUnread ? 'acl-unread' : null;
}

function isOfEncryption(note: Note): boolean {
  return note === 'encryption-changed' || note === 'acl-unread-encryption-changed';
}
