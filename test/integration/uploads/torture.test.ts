import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rig } from '../../support/uploads-rig.ts';
import { playSchedule } from '../../torture/schedule.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start({ timeouts: { firstByteMs: 500, inactivityMs: 500 } });
});
afterAll(async () => {
  await rig.close();
});

describe('killed between any two writes and any two requests, and going on', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    '50 random schedules (%i of 6) end in the truth',
    { timeout: 180_000 },
    async (part) => {
      const wrong: string[] = [];
      for (let index = 0; index < 50; index += 1) {
        const report = await playSchedule(rig, 1_000_000 + part * 50 + index);
        if (report.wrong.length > 0)
          wrong.push(
            `seed ${report.seed}, ${report.what}, ${report.kills} kills: ${report.wrong.join('; ')}`,
          );
      }
      expect(wrong).toEqual([]);
    },
  );
});
