import type { enFleetHistory } from './en-fleet-history.ts'

export const deFleetHistory: typeof enFleetHistory = {
  title: 'Verlauf',
  intro: 'Was auf allen Computern angefordert, begonnen und gemeldet wurde, das Neueste zuerst.',
  computer: 'Computer',
  package: 'Paket',
  after: 'Von',
  before: 'Bis',
  emptyTitle: 'Noch nichts verteilt',
  emptyText: 'Anforderungen und Ergebnisse von Verteilungen erscheinen hier.',
  searchOn: 'Laden Sie mehr, um weiter zurück zu suchen.',
  searchedUntil: 'Durchsucht bis',
}
