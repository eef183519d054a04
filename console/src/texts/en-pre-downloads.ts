/** What computers download before its time. */
export const enPreDownloads = {
  title: 'Downloaded ahead',
  readyOn: (ready: string, total: string) => `ready on ${ready} of ${total}`,
  computers: 'Computers by what they have downloaded',
  size: (bytes: string) => `${bytes} for each computer`,
  opens: 'First start',
  parts: { ready: 'ready', fetching: 'downloading', failed: 'failed', waiting: 'not begun' },
  states: { Waiting: 'Not begun', Fetching: 'Downloading', Ready: 'Ready', Failed: 'Failed' },
}
