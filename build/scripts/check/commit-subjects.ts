const maxSubjectLength = 72;

/** Returns the problems in the subjects of commits, which are given as lines of `hash subject`. */
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
