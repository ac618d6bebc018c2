import { findWord, foldName, matchRank } from '../../../shared/keys/name-match.ts';

/** The part of a typed address that is being completed. */
export type AddressLevel =
  /** The name of a bucket or of a connection is being typed. */
  | { readonly kind: 'top'; readonly typed: string }
  | {
      readonly kind: 'folder';
      readonly bucket: string;
      /** '' or ending in `/`. */
      readonly folder: string;
      readonly typed: string;
    };

/** A connection, bucket or folder that continues the address. */
export type Suggestion =
  | { readonly kind: 'connection'; readonly connectionId: string; readonly name: string }
  | {
      readonly kind: 'bucket';
      readonly connectionId: string;
      /** Shown if buckets of several connections are suggested. */
      readonly connectionName: string | null;
      readonly name: string;
    }
  | { readonly kind: 'folder'; readonly name: string };

const start = /^\s*(?:s3:\/\/|\/)?/iu;

/** Returns the part of the address that is being typed. Null for a URL, which is complete. */
export function addressLevelOf(text: string): AddressLevel | null {
  if (/^\s*https?:/iu.test(text)) return null;
  const path = text.replace(start, '');
  const slash = path.indexOf('/');
  if (slash === -1) return { kind: 'top', typed: path };
  const prefix = path.slice(slash + 1);
  const end = prefix.lastIndexOf('/') + 1;
  return {
    kind: 'folder',
    bucket: path.slice(0, slash),
    folder: prefix.slice(0, end),
    typed: prefix.slice(end),
  };
}

/** Returns the text after replacing its last part by the accepted name. Keeps a scheme or slash before it. */
export function completed(text: string, level: AddressLevel, name: string): string {
  const [scheme = ''] = start.exec(text) ?? [];
  return level.kind === 'top' ? `${scheme}${name}/` : `${scheme}${level.bucket}/${level.folder}${name}/`;
}

const maxSuggestions = 100;

/** Returns the suggestions that match the typed text. Those that start with it come first. */
export function suggestionsFor(typed: string, known: readonly Suggestion[]): readonly Suggestion[] {
  if (typed === '') return known.slice(0, maxSuggestions);
  const word = foldName(typed);
  return known
    .flatMap((suggestion) => {
      const match = findWord(suggestion.name, foldName(suggestion.name), word);
      return match === null || match.rank > matchRank.wordStart ? [] : [{ suggestion, rank: match.rank }];
    })
    .toSorted((left, other) => left.rank - other.rank)
    .slice(0, maxSuggestions)
    .map(({ suggestion }) => suggestion);
}
