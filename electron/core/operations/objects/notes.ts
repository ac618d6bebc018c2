import type { ItemNote } from '../../../../shared/models/transfers.ts';

type Note = ItemNote | null;

/** The key may not read the permissions: of an item's other notes this is one that nobody has chosen. */
export function notedAclUnread(note: Note): Note {
  return isOfEncryption(note) ? 'acl-unread-encryption-changed' : 'acl-unread';
}

/** How the copy is encrypted now, beside what is said of its permissions; of an earlier copy it may have been otherwise. */
export function notedEncryption(note: Note, isLost: boolean): Note {
  const isUnread = note === 'acl-unread' || note === 'acl-unread-encryption-changed';
  if (isLost) return isUnread ? 'acl-unread-encryption-changed' : 'encryption-changed';
  if (!isOfEncryption(note)) return note;
  return isUnread ? 'acl-unread' : null;
}

function isOfEncryption(note: Note): boolean {
  return note === 'encryption-changed' || note === 'acl-unread-encryption-changed';
}
