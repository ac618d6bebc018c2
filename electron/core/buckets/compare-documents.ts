import type { BucketSection, SettingsDifference } from '../../../shared/models/bucket-settings.ts';
import { documentUnits, type DocumentUnit } from './document-units.ts';

interface Compared {
  readonly section: BucketSection;
  /** The service's document before the change; '' for none. */
  readonly before: string;
  /** The document sent; '' for a removal. */
  readonly wanted: string;
  /** The document that the service returns now. */
  readonly found: string;
}

/**
 * Returns each rule, statement, tag or switch that the service did not store as sent. Ignores order, white space, explicit
 * defaults, and names that the service gave to unnamed rules.
 */
export function compareDocuments({
  section,
  before,
  wanted: sent,
  found,
}: Compared): readonly SettingsDifference[] {
  const beforeEssences = new Set(documentUnits(section, before).map(({ essence }) => essence));
  const unmatchedSent = [...documentUnits(section, sent).entries()];
  const unmatchedFound = [...documentUnits(section, found)];
  const differences: SettingsDifference[] = [];

  /** Removes each matching pair from both lists. */
  const match = (
    fits: (want: DocumentUnit, have: DocumentUnit) => boolean,
    onPair?: (want: DocumentUnit, have: DocumentUnit, at: number) => void,
  ): void => {
    for (const entry of unmatchedSent.slice()) {
      const [at, want] = entry;
      const index = unmatchedFound.findIndex((have) => fits(want, have));
      const have = unmatchedFound[index];
      if (have === undefined) continue;
      unmatchedFound.splice(index, 1);
      unmatchedSent.splice(unmatchedSent.indexOf(entry), 1);
      onPair?.(want, have, at);
    }
  };
  const differenceOf = (
    kind: 'changed' | 'missing',
    { name, essence, text }: DocumentUnit,
    at: number,
    found: string,
  ): SettingsDifference => {
    const touched = !beforeEssences.has(essence);
    return { kind, name, position: at + 1, touched, wanted: text, found };
  };
  const changed = (want: DocumentUnit, have: DocumentUnit, at: number): void => {
    differences.push(differenceOf('changed', want, at, have.text));
  };

  match((want, have) => want.essence === have.essence);
  match((want, have) => want.name === '' && want.unnamedEssence === have.unnamedEssence);
  // Services add values to the encryption sent, such as the types that they block.
  if (section === 'encryption') match((want, have) => holdsAll(have.essence, want.essence));
  match((want, have) => want.name !== '' && want.name === have.name, changed);
  match((want) => want.name === '', changed);
  for (const [at, want] of unmatchedSent) differences.push(differenceOf('missing', want, at, ''));
  return [
    ...differences.toSorted((a, b) => a.position - b.position),
    ...unmatchedFound.map(({ name, text }, index) => ({
      kind: 'extra' as const,
      name,
      position: index + 1,
      touched: false,
      wanted: '',
      found: text,
    })),
  ];
}

/** Returns true if one canonical element contains all of another. */
function holdsAll(whole: string, part: string): boolean {
  return includes(JSON.parse(whole), JSON.parse(part));
}

function includes(whole: unknown, part: unknown): boolean {
  if (!Array.isArray(whole) || !Array.isArray(part)) return whole === part;
  const items: readonly unknown[] = whole;
  return part.every((partItem) => items.some((item) => includes(item, partItem)));
}
