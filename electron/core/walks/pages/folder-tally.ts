import { compareKeys } from '../../../../shared/keys/paths.ts';
import { readListingPage, type ListingVisitor } from '../../s3/xml/listing-reader.ts';
import type { ListingResponse } from '../../s3/xml/listing-response.ts';
import type { PageSum } from './page-messages.ts';
import { ColumnRows, PageTally, type TallyOptions } from './page-tally.ts';

interface Entry {
  readonly name: string;
  readonly isAscii: boolean;
  readonly tell: () => void;
}

/** Merges the objects and common prefixes of a delimited page, two lists in the service's order, into one ordered list. */
class FolderTally implements ListingVisitor {
  readonly #tally: PageTally;
  readonly #after: string | null;
  readonly #objects: Entry[] = [];
  readonly #prefixes: Entry[] = [];

  constructor(options: TallyOptions) {
    this.#tally = new PageTally(options, new ColumnRows());
    this.#after = options.after;
  }

  object(...entry: Parameters<ListingVisitor['object']>): void {
    const [name, , , , , isAsciiName] = entry;
    this.#objects.push({ name, isAscii: isAsciiName, tell: () => this.#tally.object(...entry) });
  }

  commonPrefix(name: string, isAsciiName: boolean): void {
    // Some services repeat the common prefix after which the page was requested.
    if (name === this.#after) return;
    this.#prefixes.push({ name, isAscii: isAsciiName, tell: () => this.#tally.folder(name, isAsciiName) });
  }

  sum(isTruncated: boolean): PageSum {
    let next = 0;
    for (const prefix of this.#prefixes) {
      for (let entry = this.#objects[next]; entry !== undefined; entry = this.#objects[next]) {
        if (isBefore(prefix, entry)) break;
        entry.tell();
        next += 1;
      }
      prefix.tell();
    }
    for (const entry of this.#objects.slice(next)) entry.tell();
    return this.#tally.sum(isTruncated);
  }
}

function isBefore(left: Entry, right: Entry): boolean {
  return left.isAscii && right.isAscii ? left.name < right.name : compareKeys(left.name, right.name) < 0;
}

/** Parses and sums up a delimited listing. Returns null if the body is not a listing or needs the slow parser. */
export function tallyFolderQuickly(bytes: Buffer, options: TallyOptions): PageSum | null {
  // A page without common prefixes is already in order, so its objects need not be collected first.
  const tally = bytes.includes('<CommonPrefixes>')
    ? new FolderTally(options)
    : new PageTally(options, new ColumnRows());
  const end = readListingPage(bytes, tally, { details: true });
  return end === null ? null : tally.sum(end.isTruncated);
}

/** Sums up a delimited page that was already parsed. */
export function tallyFolder(
  listing: Pick<ListingResponse, 'objects' | 'commonPrefixes' | 'isTruncated'>,
  options: TallyOptions,
): PageSum {
  const tally = new FolderTally(options);
  for (const { key, sizeBytes, lastModified, etag, storageClass } of listing.objects)
    tally.object(key, sizeBytes, lastModified, etag, storageClass, false, null);
  for (const prefix of listing.commonPrefixes) tally.commonPrefix(prefix, false);
  return tally.sum(listing.isTruncated);
}
