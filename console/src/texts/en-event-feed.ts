const number = (n: number) => n.toLocaleString('en')
const count = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`

/** The feed of events. */
export const enEventFeed = {
  title: 'Event feed',
  intro: 'Every change as the API and webhooks report it, as far as your roles allow.',
  fromIntro: (position: string) => `Events after position ${position}, oldest first.`,
  live: 'Live',
  connecting: 'Connecting',
  paused: (waiting: number) => (waiting === 0 ? 'Paused' : `Paused, ${count(waiting, 'new event', 'new events')}`),
  pause: 'Pause',
  resume: 'Continue',
  toLive: 'Back to live',
  types: 'Types',
  allTypes: 'All types',
  after: 'After position',
  afterHint: 'Live',
  columns: { time: 'Time', event: 'Event', about: 'About', type: 'Type', position: 'Position' },
  details: (position: string) => `show event ${position}`,
  computers: (n: number) => count(n, 'computer', 'computers'),
  earlier: 'Load earlier events',
  later: 'Load later events',
  searchedFrom: (position: number) => `Searched back to position ${number(position)}.`,
  emptyTitle: 'No events',
  emptyText: 'Events of these types appear here as they happen.',
  eventTitle: (position: string) => `Event ${position}`,
  meaning: 'Meaning',
  subject: 'Subject',
  data: 'Data',
  sameType: 'Only events of this type',
  fromHere: 'Events from here on',
}
