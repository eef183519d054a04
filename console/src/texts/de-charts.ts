import type { Texts } from './en.ts'

export const deCharts: Texts['charts'] = {
  showTable: 'Als Tabelle anzeigen',
  showChart: 'Als Diagramm anzeigen',
  name: 'Name',
  count: 'Anzahl',
  time: 'Zeitpunkt',
  since: (time) => `seit ${time}`,
  fromTo: (from, until) => `${from} – ${until}`,
  now: (time) => `Jetzt: ${time}`,
  empty: 'Noch keine Zahlen.',
}
