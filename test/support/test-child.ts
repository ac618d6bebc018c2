import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

/**
 * Returns a child process that is killed at the latest when the test ends. A process that a failed test leaves running would hold
 * the runner's pipes open, and the runner would wait.
 */
export function endsWithTest<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
