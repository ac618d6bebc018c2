import type { Page } from '@playwright/test';

/** The cost of a navigation until its rows are painted, in counts that do not depend on the load of the computer. */
export interface NavigationCost {
  /** Commits of React from the key press to the rows, with those that layout effects of the rows cause. */
  readonly commits: number;
  /** Number of layouts that a script forced, in addition to the one layout of each frame. */
  readonly forcedLayouts: number;
}

interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
}

/** Makes the page count React's commits. Must be called before the page loads. */
export async function countCommits(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.reactCommits = 0;
    // The interface of React's developer tools, which a production build calls too.
    Object.assign(globalThis, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        isDisabled: false,
        inject: () => 1,
        onCommitFiberRoot: () => {
          globalThis.reactCommits += 1;
        },
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
        onScheduleFiberRoot: () => undefined,
      },
    });
  });
}

/** Waits until React has not committed for 30 frames, so that late commits of a navigation do not count for the next one. */
async function waitForLastCommit(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let seen = -1;
    for (let frames = 0; frames < 30; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (seen !== globalThis.reactCommits) frames = 0;
      seen = globalThis.reactCommits;
    }
  });
}

/** Presses the key, waits for the frame in which the text is visible, and returns the cost. */
export async function costOfNavigation(page: Page, key: string, text: string): Promise<NavigationCost> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page belongs to no browser.');
  await page.evaluate((wanted) => {
    globalThis.navigated = new Promise((resolve) => {
      document.addEventListener(
        'keydown',
        () => {
          const before = globalThis.reactCommits;
          performance.mark('cooper-pressed');
          new MutationObserver((_, observer) => {
            if (!document.body.textContent.includes(wanted)) return;
            observer.disconnect();
            // On a busy computer, other parts of the window commit between this commit and its frame.
            const commits = globalThis.reactCommits - before;
            requestAnimationFrame(() => {
              performance.mark('cooper-painting');
              resolve(commits);
            });
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        },
        { capture: true, once: true },
      );
    });
  }, text);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] });
  await waitForLastCommit(page);
  await page.keyboard.press(key);
  const commits = await page.evaluate(() => globalThis.navigated);
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return { commits, forcedLayouts: forcedLayouts(traceEvents) };
}

const scripts = new Set(['FunctionCall', 'EventDispatch', 'RunMicrotasks', 'TimerFire', 'EvaluateScript']);

/** Counts the layouts between the trace's two marks that a script forced. */
function forcedLayouts(events: readonly TraceEvent[]): number {
  const pressed = events.find(({ name }) => name === 'cooper-pressed');
  const painting = events.find(({ name }) => name === 'cooper-painting');
  if (pressed === undefined || painting === undefined) throw new Error('The trace lacks the marks.');
  const ofPage = events.filter(
    ({ pid, tid, ts }) => pid === pressed.pid && tid === pressed.tid && ts >= pressed.ts && ts <= painting.ts,
  );
  const running = events.filter(
    ({ name, pid, tid, dur }) =>
      pid === pressed.pid && tid === pressed.tid && dur !== undefined && scripts.has(name),
  );
  return ofPage.filter(
    ({ name, ts }) =>
      name === 'Layout' && running.some((script) => script.ts <= ts && ts < script.ts + (script.dur ?? 0)),
  ).length;
}

declare global {
  var reactCommits: number;
  var navigated: Promise<number>;
}
