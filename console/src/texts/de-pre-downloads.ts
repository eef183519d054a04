import type { enPreDownloads } from './en-pre-downloads.ts'

export const dePreDownloads: typeof enPreDownloads = {
  title: 'Vorab heruntergeladen',
  readyOn: (ready, total) => `bereit auf ${ready} von ${total}`,
  computers: 'Computer nach dem, was sie heruntergeladen haben',
  size: (bytes) => `${bytes} je Computer`,
  opens: 'Erster Start',
  parts: { ready: 'bereit', fetching: 'laden herunter', failed: 'fehlgeschlagen', waiting: 'nicht begonnen' },
  states: {
    Waiting: 'Nicht begonnen',
    Fetching: 'Wird heruntergeladen',
    Ready: 'Bereit',
    Failed: 'Fehlgeschlagen',
  },
}
