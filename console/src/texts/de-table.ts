import type { Texts } from './en.ts'

const number = (n: number) => n.toLocaleString('de')

export const deTable: Texts['table'] = {
  select: (name) => `${name} auswählen`,
  selectAll: (rows) => `Alle ${number(rows)} auswählen`,
  selectNone: 'Auswahl aufheben',
  selecting: (done, rows) => `${number(done)} von ${number(rows)} ausgewählt`,
  selectFailed: 'Nicht alle Zeilen konnten gelesen werden. Die Auswahl bleibt, wie sie war.',
  selection: 'Auswahl',
  loadingRow: 'Wird geladen',
  keys: 'Pfeiltasten wechseln die Zeile, Leertaste wählt aus, Umschalt mit Leertaste oder Pfeil wählt einen Bereich, Enter öffnet die Zeile.',
}
