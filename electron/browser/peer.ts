import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { Socket } from 'node:net';

/** The two ends of a connection. `local` is the end of this process. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** The state TCP_ESTABLISHED. In other states, the table may show 0 instead of the owner. */
const established = '01';
const mappedPrefix = `${'0'.repeat(20)}ffff`;
const maxTableReads = 3;

/**
 * Returns the user id that owns the other end of a loopback connection; null if no table lists it or two disagree. `tables` are
 * the texts of /proc/net/tcp and tcp6 (Linux, Documentation/networking/proc_net_tcp.rst), whose addresses are words in the
 * machine's byte order.
 */
export function ownerOfPeer(tables: readonly string[], ends: Ends, endianness: 'BE' | 'LE'): number | null {
  // In the row of the other end, both addresses are swapped.
  const localEnd = endOf(ends.remoteAddress, ends.remotePort);
  const other = endOf(ends.localAddress, ends.localPort);
  if (localEnd === null || other === null) return null;
  const owners = new Set<number>();
  for (const line of tables.flatMap((table) => table.split('\n'))) {
    const [, local, remote, state, , , , uid] = line.trim().split(/\s+/);
    if (state !== established || local === undefined || remote === undefined) continue;
    if (endInTable(local, endianness) !== localEnd || endInTable(remote, endianness) !== other) continue;
    if (uid === undefined || !/^\d{1,10}$/.test(uid)) return null;
    owners.add(Number(uid));
  }
  const [owner] = owners;
  return owners.size === 1 && owner !== undefined ? owner : null;
}

/** Returns the address as 16 hex bytes in network order (IPv4 in its IPv6-mapped form), a colon, and the port. */
function endOf(address: string, port: number): string | null {
  const bytes = bytesOf(address.toLowerCase());
  return bytes === null ? null : `${bytes}:${String(port)}`;
}

function bytesOf(address: string): string | null {
  const v4 = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address);
  if (v4 !== null) {
    const parts = v4.slice(1).map(Number);
    if (parts.some((part) => part > 255)) return null;
    return mappedPrefix + parts.map((part) => part.toString(16).padStart(2, '0')).join('');
  }
  if (!/^[0-9a-f:]+$/.test(address)) return null;
  const halves = address.split('::');
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => group.padStart(4, '0')).join('')
    : null;
}

function endInTable(text: string, endianness: 'BE' | 'LE'): string | null {
  const match = /^((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4})$/i.exec(text);
  if (match === null) return null;
  const [, address = '', port = ''] = match;
  const words = address.toLowerCase().match(/.{8}/g) ?? [];
  if (words.length !== 1 && words.length !== 4) return null;
  const ordered = words.map((word) =>
    endianness === 'BE' ? word : (word.match(/../g) ?? []).toReversed().join(''),
  );
  const bytes = words.length === 1 ? mappedPrefix + ordered.join('') : ordered.join('');
  return `${bytes}:${String(Number.parseInt(port, 16))}`;
}

/**
 * Returns true if the other end of a connection belongs to this user. Checks only on Linux and returns true elsewhere. Also true
 * on WSL, where the peer may be a Windows process that no Linux table lists.
 */
export function isSameUserPeer(socket: Socket): boolean {
  if (process.platform !== 'linux' || /microsoft/i.test(os.release())) return true;
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return false;
  if (localAddress === undefined || localPort === undefined) return false;
  const ends = { remoteAddress, remotePort, localAddress, localPort };
  // Tries again, because a read may miss a row while the table changes.
  for (let tries = 0; tries < maxTableReads; tries += 1) {
    const owner = ownerOfPeer(readTables(), ends, os.endianness());
    if (owner !== null) return owner === process.geteuid?.();
  }
  return false;
}

function readTables(): readonly string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => {
    try {
      return readFileSync(file, 'latin1');
    } catch {
      return ''; // Without IPv6, tcp6 does not exist. If neither table can be read, every peer is refused, which is safe.
    }
  });
}
