import type { TFunction } from 'i18next';
import type { PropertyProblem } from './property-form-model.ts';

export function propertyProblemText(problem: PropertyProblem, t: TFunction): string {
  switch (problem) {
    case 'content-type-needed':
      return t('properties.contentTypeNeeded');
    case 'expires-invalid':
      return t('properties.expiresInvalid');
    case 'name-missing':
      return t('properties.nameMissing');
    case 'name-invalid':
      return t('properties.nameInvalid');
    case 'name-twice':
      return t('properties.nameTwice');
    case 'too-many-tags':
      return t('properties.tooManyTags');
    default:
      return problem satisfies never;
  }
}
