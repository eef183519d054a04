import type { Texts } from './en.ts'

export const deCharts: Texts['charts'] = {
  showTable: 'Als Tabelle zeigen',
  showChart: 'Als Diagramm zeigen',
}
