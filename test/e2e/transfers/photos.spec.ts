import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import type { Operation } from '../../../electron/service/find-operation.ts';
import { startService } from '../../support/lab-service/server.ts';
import { openInPicker } from '../support/forms.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { dialogOf, pressInList, renameInList } from '../support/operations.ts';
import { connect, expectTransfer, openWindow } from '../support/uploads.ts';
import { rowOf, sidebarRow, typeAddress, test } from '../support/window.ts';

const keys = { accessKeyId: 'PHOTOKEY', secretAccessKey: 'photos-of-last-summer' };
const names = Array.from({ length: 40 }, (_, at) => `IMG_${String(4100 + at)}.jpg`);
const sizeBytes = 30_000;

/** Returns the content of a photo of this name. */
function photo(name: string): Buffer {
  return Buffer.alloc(sizeBytes, name);
}

/** Drops the photos on the list, as a user does with the mouse. */
async function dropPhotos(page: Page): Promise<void> {
  await page.getByTestId('drop-upload').evaluate(
    (area, [files, length]) => {
      const data = new DataTransfer();
      for (const name of files) data.items.add(new File([name.repeat(length).slice(0, length)], name));
      for (const step of ['dragenter', 'dragover', 'drop'])
        area.dispatchEvent(new DragEvent(step, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [names, sizeBytes] as const,
  );
}

/** Checks that some of the photos exist, but not all. */
function isSome(found: readonly string[]): void {
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(names.length);
}

/** A rule for the requests of one operation. The first `answered` requests pass, and the others are held. */
interface Hold {
  readonly operation: Operation;
  readonly answered: number;
}

interface Held {
  /** Returns the number of held requests. */
  readonly fired: () => number;
  /** Stops holding later requests. */
  readonly remove: () => void;
  /** Releases the held requests; the service carries them out. */
  readonly letGo: () => void;
}

/** Sets up a slow service, and a Cooper that can be killed and restarted. */
class Journey {
  readonly home = removedAtExit('cooper-photos-');
  readonly page: Page;
  service!: Service;
  #cooper!: RunningCooper;

  constructor(page: Page) {
    this.page = page;
  }

  async begin(): Promise<void> {
    mkdirSync(path.join(this.home, 'target'));
    this.service = await startService({
      dataDir: path.join(this.home, 'service'),
      credentials: [keys],
      region: 'us-east-1',
    });
    this.service.store.buckets.create('pictures', Date.now());
    await this.#start();
    await connect(this.page, 'Photos', this.service, keys);
  }

  async end(): Promise<void> {
    await this.#cooper.end();
    await this.service.close();
  }

  /**
   * Starts a task and kills the program twice during it: each time after a number of requests, while the next ones are held.
   * The held requests are carried out late, while the restarted program works.
   */
  async killedTwice(
    begin: () => Promise<void>,
    holds: readonly [Hold, Hold],
    isMiddle: () => void,
  ): Promise<void> {
    let held = this.#hold(holds[0]);
    let before: Held | null = null;
    await begin();
    for (const next of [holds[1], null]) {
      await expect(() => {
        expect(held.fired()).toBeGreaterThan(0);
        isMiddle();
      }).toPass({ intervals: [10], timeout: 30_000 });
      before?.letGo();
      before = held;
      expect(await this.#cooper.end('SIGKILL')).toBe('SIGKILL');
      // Prepares the next kill before the program restarts.
      held.remove();
      if (next !== null) held = this.#hold(next);
      await this.#start();
    }
    before?.letGo();
  }

  #hold({ operation, answered }: Hold): Held {
    const gate = Promise.withResolvers<void>();
    const action = { kind: 'hold', until: gate.promise } as const;
    const fault = this.service.faults.add({ operation, nth: answered + 1, times: Infinity, action });
    return {
      fired: () => fault.fired,
      remove: () => {
        fault.remove();
      },
      letGo: gate.resolve,
    };
  }

  keysBelow(prefix: string): readonly string[] {
    const bucket = this.service.store.buckets.get('pictures');
    return this.service.store
      .list(bucket?.id ?? -1, { prefix, delimiter: '', after: null, limit: 1000 })
      .rows.map(({ key }) => key);
  }

  /** Opens a folder of the bucket. */
  async open(prefix: string): Promise<void> {
    await sidebarRow(this.page, 'Photos').click();
    await typeAddress(this.page, `pictures/${prefix}`);
  }

  async #start(): Promise<void> {
    this.#cooper = await startCooper({ dataDir: path.join(this.home, 'data'), env: { HOME: this.home } });
    await openWindow(this.page, this.#cooper);
  }
}

test('photos are dropped, renamed, shared, downloaded and deleted despite two crashes in each step', async ({
  page,
}) => {
  test.slow();
  const journey = new Journey(page);
  await journey.begin();
  try {
    await journey.open('summer/');
    await expect(page.getByText('This folder is empty')).toBeVisible();
    const put: Hold = { operation: 'PutObject', answered: 6 };
    await journey.killedTwice(
      () => dropPhotos(page),
      [put, put],
      () => isSome(journey.keysBelow('summer/')),
    );
    await expectTransfer(page, names[0] ?? '', 'Done. Uploaded ');
    expect(journey.keysBelow('')).toEqual(names.map((name) => `summer/${name}`));

    await journey.open('');
    await rowOf(page, 'summer').click();
    await renameInList(page, 'summer', 'by the sea');
    const renaming = dialogOf(page, 'Rename summer');
    await expect(renaming).toContainText('40 objects');
    await journey.killedTwice(
      () => renaming.getByRole('button', { name: 'Rename' }).click(),
      [
        { operation: 'CopyObject', answered: 6 },
        { operation: 'DeleteObjects', answered: 0 },
      ],
      // Each photo exists under one name or both.
      () => {
        const found = journey.keysBelow('').map((key) => path.posix.basename(key));
        expect([...new Set(found)].toSorted()).toEqual(names);
        expect(journey.keysBelow('by the sea/').length).toBeGreaterThan(0);
        expect(journey.keysBelow('summer/').length).toBeGreaterThan(0);
      },
    );
    await expectTransfer(page, 'by the sea', 'Done. Renamed ');
    expect(journey.keysBelow('')).toEqual(names.map((name) => `by the sea/${name}`));

    await journey.open('by the sea/');
    const shared = names[7] ?? '';
    await rowOf(page, shared).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Create a link…' }).click();
    const link = await dialogOf(page, `Link to ${shared}`)
      .getByRole('textbox', { name: 'Link', exact: true })
      .inputValue();
    await page.keyboard.press('Escape');
    const response = await fetch(link);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(photo(shared));

    await journey.open('');
    await rowOf(page, 'by the sea').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    const choose = await openInPicker(page, journey.home, 'target');
    const target = path.join(journey.home, 'target', 'by the sea');
    const fetched = (): readonly string[] => {
      try {
        return readdirSync(target).filter((name) => name.endsWith('.jpg'));
      } catch {
        return [];
      }
    };
    const get: Hold = { operation: 'GetObject', answered: 6 };
    await journey.killedTwice(
      () => choose.click(),
      [get, get],
      () => {
        isSome(fetched());
        for (const name of fetched()) expect(readFileSync(path.join(target, name))).toEqual(photo(name));
      },
    );
    await expectTransfer(page, 'by the sea', 'Done. Downloaded ');
    expect(readdirSync(target).toSorted()).toEqual(names);
    for (const name of names) expect(readFileSync(path.join(target, name))).toEqual(photo(name));

    await journey.open('');
    await rowOf(page, 'by the sea').click();
    await pressInList(page, 'Delete');
    const deleting = dialogOf(page, 'Delete the folder by the sea?');
    await expect(deleting).toContainText('40 objects');
    const remove: Hold = { operation: 'DeleteObjects', answered: 0 };
    await journey.killedTwice(
      () => deleting.getByRole('button', { name: 'Delete', exact: true }).click(),
      [remove, remove],
      () => undefined,
    );
    await expectTransfer(page, 'by the sea', 'Done. Deleted ');
    expect(journey.keysBelow('')).toEqual([]);
    expect(readdirSync(target)).toHaveLength(names.length);
  } finally {
    await journey.end();
  }
});
