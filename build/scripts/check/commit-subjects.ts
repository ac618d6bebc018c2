export const maxSubjectLength = 72;

/** Returns the problems in the subjects of commits, given as lines of `hash subject`; empty if there are none. */
export function subjectProblems(log: readonly string[]): readonly string[] {
  return log.flatMap((line) => {
    const [hash = '', ...words] = line.split(' ');
    const subject = words.join(' ');
    const { length } = subject;
    if (length > maxSubjectLength)
      return [`${hash}: ${String(length)} characters, at most ${String(maxSubjectLength)}: ${subject}`];
    return subject.endsWith('.') ? [`${hash}: a subject has no full stop: ${subject}`] : [];
  });
}
