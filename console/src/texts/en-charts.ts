export const enCharts = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
}
