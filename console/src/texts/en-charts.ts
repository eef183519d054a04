/** The texts that all charts share. */
export const enCharts = {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  name: 'Name',
  count: 'Count',
  time: 'Time',
  since: (time: string) => `since ${time}`,
  fromTo: (from: string, until: string) => `${from} – ${until}`,
  now: (time: string) => `Now: ${time}`,
  empty: 'No figures yet.',
}
