const computers = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'computer' : 'computers'}`

/** Texts about variables that are lists of entries. */
export const enCollections = {
  hint: 'Each entry has a value for every part of the collection. Only the entries of this place are shown, not inherited ones.',
  actions: 'Actions',
  empty: 'No entries',
  emptyText: 'Nothing is set here. Entries from above stay in effect.',
  secret: 'Secret',
  add: 'Add entry',
  addLabel: (name: string) => `Add an entry to ${name}`,
  edit: 'Edit',
  editLabel: (name: string, number: number) => `Edit entry ${number} of ${name}`,
  remove: 'Delete',
  removeLabel: (name: string, number: number) => `Delete entry ${number} of ${name}`,
  keepsSecret: 'Leave it empty to keep the present value.',
  default: (value: string) => `If left empty: ${value}`,
  sets: (name: string) => `${name} changes here. Scripts see it at their next run.`,
  setsFor: (name: string, n: number) => `${name} changes for ${computers(n)}. Scripts see it at their next run.`,
  saved: (name: string) => `${name} was changed`,
}
