import { randomBytes } from 'node:crypto';
import { bytesPath } from '../../../shared/session.ts';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import type { Clock } from '../ports.ts';

/** The only content types that the bytes route sends. An object's own type is never trusted. */
export type ShownAs = MediaType | 'application/octet-stream';

/** An object, in one state, that the window may read for a while. */
export interface Ticketed {
  readonly ref: ObjectRef;
  /** The object's ETag when the ticket was issued; null if the service sends none. */
  readonly etag: string | null;
  readonly sizeBytes: number;
  /** Distinguishes two objects whose ETag is weak. */
  readonly lastModified?: string | null;
  readonly shownAs: ShownAs;
  /** True if the object is saved under its name instead of displayed. */
  readonly isFile?: boolean;
}

export interface Tickets {
  /** Issues a ticket and returns the path at which the window reads the bytes. */
  issue(ticketed: Ticketed): string;
  /** Returns null if the ticket is unknown or expired. Each use extends it. */
  use(ticket: string): Ticketed | null;
  /**
   * Registers a ticket that the window generated, for one read, because a dragged object needs an address at once. Returns
   * false if the ticket was offered before.
   */
  offer(ticket: string, connectionId: string, made: Promise<Ticketed>): boolean;
  /** Returns null if the ticket was never offered, was used or has expired. */
  takeOffer(ticket: string): Promise<Ticketed> | null;
  /** Ends the tickets of a connection that is gone or was changed. */
  dropConnection(connectionId: string): void;
}

const lifetimeMs = 10 * 60_000;
const maxTickets = 2000;
const maxOffers = 100;

interface Offer {
  readonly connectionId: string;
  readonly made: Promise<Ticketed>;
  readonly endsMs: number;
}

export function createTickets(clock: Pick<Clock, 'monotonicMs'>): Tickets {
  // Ordered by expiry: a used ticket moves to the end of the map.
  const tickets = new Map<string, { readonly ticketed: Ticketed; readonly endsMs: number }>();

  const offers = new Map<string, Offer>();

  /** Removes expired entries, and the oldest ones above the limit. */
  const forgetOld = (entries: Map<string, { readonly endsMs: number }>, maxEntries: number): void => {
    for (const [ticket, { endsMs }] of entries) {
      if (endsMs > clock.monotonicMs() && entries.size <= maxEntries) return;
      entries.delete(ticket);
    }
  };

  return {
    issue: (ticketed) => {
      // A ticket is like a password for its object, so it has 128 bits from the system's random source.
      const ticket = randomBytes(16).toString('base64url');
      tickets.set(ticket, { ticketed, endsMs: clock.monotonicMs() + lifetimeMs });
      forgetOld(tickets, maxTickets);
      return bytesPath + ticket;
    },
    use: (ticket) => {
      forgetOld(tickets, maxTickets);
      const found = tickets.get(ticket);
      if (found === undefined) return null;
      tickets.delete(ticket);
      tickets.set(ticket, { ...found, endsMs: clock.monotonicMs() + lifetimeMs });
      return found.ticketed;
    },
    offer: (ticket, connectionId, made) => {
      forgetOld(offers, maxOffers);
      // The request for the ticket reports the failure.
      made.catch(() => undefined);
      if (offers.has(ticket)) return false;
      offers.set(ticket, { connectionId, made, endsMs: clock.monotonicMs() + lifetimeMs });
      return true;
    },
    takeOffer: (ticket) => {
      forgetOld(offers, maxOffers);
      const found = offers.get(ticket);
      offers.delete(ticket);
      return found?.made ?? null;
    },
    dropConnection: (connectionId) => {
      for (const [ticket, offer] of offers) if (offer.connectionId === connectionId) offers.delete(ticket);
      for (const [ticket, { ticketed }] of tickets) {
        if (ticketed.ref.connectionId === connectionId) tickets.delete(ticket);
      }
    },
  };
}

/** The media types that a browser engine plays. Everything else is sent as plain bytes. */
const mediaTypes = [
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/webm',
  'audio/wav',
  'audio/flac',
] as const;

type MediaType = (typeof mediaTypes)[number];

const aliases: Readonly<Record<string, MediaType>> = {
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'audio/ogg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
};

const byExtension: Readonly<Record<string, MediaType>> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  weba: 'audio/webm',
  wav: 'audio/wav',
  flac: 'audio/flac',
};

/** Returns the type under which an object may be played, from its content type and name; null if it is no recording. */
export function mediaTypeOf(key: string, contentType: string | null): MediaType | null {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const known = mediaTypes.find((mediaType) => mediaType === type);
  if (known !== undefined) return known;
  if (Object.hasOwn(aliases, type)) return aliases[type] ?? null;
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}
