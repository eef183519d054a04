/** The texts that all charts share. */
export const enCharts = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  name: 'Name',
  count: 'Count',
  time: 'Time',
  empty: 'No figures yet.',
}
