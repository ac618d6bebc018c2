import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

/**
 * Kills a child process at the latest when the test ends, and returns it. A process left by a failed test would hold the
 * runner's pipes open, and the runner would wait for them.
 */
export function endsWithTest<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
