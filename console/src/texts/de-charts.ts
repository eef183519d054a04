import type { Texts } from './en.ts'

export const deCharts: Texts['charts'] = {
  showTable: 'Als Tabelle anzeigen',
  showChart: 'Als Diagramm anzeigen',
  name: 'Name',
  count: 'Anzahl',
  time: 'Zeitpunkt',
  empty: 'Noch keine Zahlen.',
}
