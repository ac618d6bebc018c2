import classes from './cells.module.css';

/** Shows a storage class, in the same way in all lists and details. */
export function StorageClass({ name }: { readonly name: string | null }) {
  if (name === null || name === '') return null;
  return (
    <span className={classes.storageClass} data-class={name}>
      {name}
    </span>
  );
}
