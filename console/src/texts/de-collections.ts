import type { enCollections } from './en-collections.ts'

const computers = (n: number) => `${n.toLocaleString('de')} Computer`

export const deCollections: typeof enCollections = {
  hint: 'Jeder Eintrag hat einen Wert für jeden Teil der Sammlung. Gezeigt werden nur die Einträge dieser Stelle, keine geerbten.',
  actions: 'Aktionen',
  empty: 'Keine Einträge',
  emptyText: 'Hier ist nichts gesetzt. Einträge von oben gelten weiter.',
  secret: 'Geheim',
  add: 'Eintrag hinzufügen',
  addLabel: (name) => `Eintrag zu ${name} hinzufügen`,
  edit: 'Bearbeiten',
  editLabel: (name, number) => `Eintrag ${number} von ${name} bearbeiten`,
  remove: 'Löschen',
  removeLabel: (name, number) => `Eintrag ${number} von ${name} löschen`,
  keepsSecret: 'Leer lassen, um den jetzigen Wert zu behalten.',
  default: (value) => `Wenn leer: ${value}`,
  sets: (name) => `${name} ändert sich hier. Skripte sehen es bei ihrem nächsten Lauf.`,
  setsFor: (name, n) => `${name} ändert sich für ${computers(n)}. Skripte sehen es bei ihrem nächsten Lauf.`,
  saved: (name) => `${name} wurde geändert`,
}
