import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { graphOf, type ImportGraph } from '../layers/import-layers.ts';
import { root } from '../run-command.ts';

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Returns the merge base with main, or `HEAD` without a main branch. */
function baseOfBranch(): string {
  for (const main of ['origin/main', 'main'])
    try {
      return git('merge-base', 'HEAD', main).trim();
    } catch {
      // There is no such branch.
    }
  return 'HEAD';
}

/** Returns the files that differ from a commit, by default the merge base with main. Includes uncommitted changes. */
export function changedFiles(since = baseOfBranch()): readonly string[] {
  const differing = git('diff', '--name-only', '--diff-filter=d', '-z', since);
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set(`${differing}${added}`.split('\0').filter((name) => name !== ''))].toSorted();
}

export function importsOfAll(): ImportGraph {
  const files = globSync('{shared,renderer,electron,bin,build,test}/**/*.{ts,tsx,css,json}', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  }).map((file) => file.replaceAll('\\', '/'));
  return graphOf(
    new Map(files.toSorted().map((file) => [file, readFileSync(path.join(root, file), 'utf8')])),
  );
}

/** Returns the commits of this branch since it left main, newest first, each as `hash subject`. */
export function commitsOfBranch(): readonly string[] {
  return git('log', '--format=%h %s', `${baseOfBranch()}..HEAD`)
    .split('\n')
    .filter((line) => line !== '');
}

export function headCommit(): string {
  return git('rev-parse', 'HEAD').trim();
}

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
