export const maxSubjectLength = 72;

/** Returns what is wrong with the subjects of commits, each as `hash subject`; empty where nothing is. */
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
