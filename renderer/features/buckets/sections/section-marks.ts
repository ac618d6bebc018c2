import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';

/**
 * A fact about a section that a service has shown. `unsupported` and `readable`: its response to a read. `refused` and `stored`: its
 * response to a change.
 */
export type SectionNews = 'unsupported' | 'readable' | 'refused' | 'stored';

/**
 * The stored marks of a connection: the name of each unsupported section, `name:answered` for one that can be read, and
 * `name:refused` for one that can be read, but of which the service refuses every change.
 */
export type SectionMarks = readonly string[];

const answered = (section: BucketSection): string => `${section}:answered`;
const refused = (section: BucketSection): string => `${section}:refused`;

/** Returns the marks after news about a section. A read does not show whether the service accepts changes. */
export function marksAfter(marks: SectionMarks, section: BucketSection, news: SectionNews): SectionMarks {
  const others = marks.filter(
    (mark) => mark !== section && mark !== answered(section) && mark !== refused(section),
  );
  const isRefused = news === 'refused' || (news === 'readable' && marks.includes(refused(section)));
  return [
    ...others,
    news === 'unsupported' ? section : answered(section),
    ...(isRefused ? [refused(section)] : []),
  ];
}

/** Returns true if the service does not support the section. Its responses override the provider's documentation. */
export function isUnsupported(
  marks: SectionMarks,
  documented: readonly BucketSection[],
  section: BucketSection,
): boolean {
  if (marks.includes(section) || marks.includes(refused(section))) return true;
  return documented.includes(section) && !marks.includes(answered(section));
}

/** Returns true if the service has refused a change of the section, and none succeeded since. */
export function refusesChanges(marks: SectionMarks, section: BucketSection): boolean {
  return marks.includes(refused(section));
}

/** Returns true if it is not known whether the service supports the section. */
export function isUnknown(
  marks: SectionMarks,
  documented: readonly BucketSection[],
  section: BucketSection,
): boolean {
  return !isUnsupported(marks, documented, section) && !marks.includes(answered(section));
}
