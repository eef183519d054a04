import type { enHelp } from './en-help.ts'

export const deHelp: typeof enHelp = {
  title: 'Hilfe',
  guide: 'Anleitung zu dieser Seite (englisch)',
  allGuides: 'Alle Anleitungen (englisch)',
  shortcuts: 'Tastenkürzel',
  apiReference: 'API-Referenz (englisch)',
  about: 'Über diese Installation',
  newTab: 'öffnet einen neuen Tab',
  everywhere: 'Auf jeder Seite',
  inTables: 'In einer Liste mit auswählbaren Zeilen',
  inTree: 'Im Gruppenbaum',
  keys: {
    find: 'Computer, Seiten und Aktionen suchen',
    shortcuts: 'Diese Übersicht zeigen',
    escape: 'Bereich oder Dialog schließen',
    skip: 'Von der Adresszeile aus: zum Inhalt springen',
    rows: 'Nächste und vorherige Zeile',
    page: 'Eine Bildschirmseite weiter oder zurück',
    ends: 'Erste und letzte Zeile',
    select: 'Zeile auswählen',
    extend: 'Auswahl erweitern',
    open: 'Zeile öffnen',
    branches: 'Zweig auf- und zuklappen',
    letters: 'Buchstaben: die nächste Gruppe mit diesem Namen',
  },
  or: 'oder',
}
