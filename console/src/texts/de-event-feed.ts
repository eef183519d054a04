import type { enEventFeed } from './en-event-feed.ts'

const number = (n: number) => n.toLocaleString('de')
const count = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`

export const deEventFeed: typeof enEventFeed = {
  title: 'Ereignisse',
  intro: 'Jede Änderung, wie die API und Webhooks sie melden, soweit Ihre Rollen es erlauben.',
  fromIntro: (position) => `Ereignisse nach Position ${position}, die ältesten zuerst.`,
  live: 'Live',
  connecting: 'Verbindung wird hergestellt',
  paused: (waiting) =>
    waiting === 0 ? 'Angehalten' : `Angehalten, ${count(waiting, 'neues Ereignis', 'neue Ereignisse')}`,
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  toLive: 'Zurück zur Live-Ansicht',
  types: 'Typen',
  allTypes: 'Alle Typen',
  after: 'Nach Position',
  afterHint: 'Live',
  columns: { time: 'Zeit', event: 'Ereignis', about: 'Betrifft', type: 'Typ', position: 'Position' },
  details: (position) => `Ereignis ${position} anzeigen`,
  computers: (n) => `${number(n)} Computer`,
  earlier: 'Frühere Ereignisse laden',
  later: 'Spätere Ereignisse laden',
  searchedFrom: (position) => `Durchsucht bis Position ${number(position)}.`,
  emptyTitle: 'Keine Ereignisse',
  emptyText: 'Ereignisse dieser Typen erscheinen hier, sobald sie geschehen.',
  eventTitle: (position) => `Ereignis ${position}`,
  meaning: 'Bedeutung',
  subject: 'Gegenstand',
  data: 'Daten',
  sameType: 'Nur Ereignisse dieses Typs',
  fromHere: 'Ereignisse ab hier',
}
