import type { TFunction } from 'i18next';
import type { ImageFact } from '../worker/image-messages.ts';

/** Formats the value of a fact of an image for users. */
export function factText(fact: ImageFact, t: TFunction, language: string): string {
  if (fact.name === 'exposure') return exposureWords(fact, language);
  return fact.name === 'place' ? placeWords(fact, t, language) : fact.text;
}

function exposureWords(fact: Extract<ImageFact, { name: 'exposure' }>, language: string): string {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const { seconds, aperture, iso, focalLengthMm } = fact;
  const secondsText = (count: number): string =>
    count < 0.3 ? `1/${String(Math.round(1 / count))}` : number.format(count);
  const parts = [
    seconds === null ? null : withUnit(secondsText(seconds), 'second', language),
    aperture === null ? null : `f/${number.format(aperture)}`,
    iso === null ? null : `ISO ${String(Math.round(iso))}`,
    focalLengthMm === null ? null : withUnit(number.format(focalLengthMm), 'millimeter', language),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function placeWords(fact: Extract<ImageFact, { name: 'place' }>, t: TFunction, language: string): string {
  const degrees = new Intl.NumberFormat(language, { minimumFractionDigits: 5, maximumFractionDigits: 5 });
  const { latitude, longitude, altitudeM } = fact;
  const north = `${degrees.format(Math.abs(latitude))}° ${t(latitude < 0 ? 'viewers.image.south' : 'viewers.image.north')}`;
  const east = `${degrees.format(Math.abs(longitude))}° ${t(longitude < 0 ? 'viewers.image.west' : 'viewers.image.east')}`;
  if (altitudeM === null) return `${north}, ${east}`;
  return `${north}, ${east}, ${withUnit(String(Math.round(altitudeM)), 'meter', language)}`;
}

/** Appends the unit in the language's short form to a formatted number; both stay on one line. */
function withUnit(number: string, unit: 'second' | 'millimeter' | 'meter', language: string): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' }).formatToParts(
    1,
  );
  return `${number}\u00A0${parts.find(({ type }) => type === 'unit')?.value ?? unit}`;
}
