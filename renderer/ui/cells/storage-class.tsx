import classes from './storage-class.module.css';

/** A storage class, as every list and every detail shows it. */
export function StorageClass({ name }: { readonly name: string | null }) {
  if (name === null || name === '') return null;
  return (
    <span className={classes.storageClass} data-class={name}>
      {name}
    </span>
  );
}
