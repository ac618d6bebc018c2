import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

/**
 * The same process, which ends with the test at the latest. One that a failed test leaves behind would hold the pipes of the
 * runner open, and the runner waits for them.
 */
export function endsWithTest<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
