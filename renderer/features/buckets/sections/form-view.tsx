import { assertNever } from '../../../../shared/assert-never.ts';
import type { BucketForm } from '../../../../shared/models/bucket-settings.ts';
import { CorsForm } from './cors-form.tsx';
import { InventoryForm } from './inventory-form.tsx';
import { LifecycleForm } from './lifecycle-form.tsx';
import {
  EncryptionForm,
  OwnershipForm,
  PaymentForm,
  PublicAccessForm,
  VersioningForm,
} from './simple-forms.tsx';
import { TagsForm } from './tags-form.tsx';
import { WebsiteForm } from './website-form.tsx';

interface Props {
  readonly form: BucketForm;
  readonly onChange: (form: BucketForm) => void;
}

/** The form of an editable section. */
export function FormView({ form, onChange }: Props) {
  switch (form.section) {
    case 'versioning':
      return <VersioningForm form={form} onChange={onChange} />;
    case 'lifecycle':
      return <LifecycleForm form={form} onChange={onChange} />;
    case 'cors':
      return <CorsForm form={form} onChange={onChange} />;
    case 'tags':
      return <TagsForm form={form} onChange={onChange} />;
    case 'public-access':
      return <PublicAccessForm form={form} onChange={onChange} />;
    case 'encryption':
      return <EncryptionForm form={form} onChange={onChange} />;
    case 'inventory':
      return <InventoryForm form={form} onChange={onChange} />;
    case 'payment':
      return <PaymentForm form={form} onChange={onChange} />;
    case 'ownership':
      return <OwnershipForm form={form} onChange={onChange} />;
    case 'website':
      return <WebsiteForm form={form} onChange={onChange} />;
    case 'access':
    case 'object-lock':
      return null;
    default:
      return assertNever(form);
  }
}
