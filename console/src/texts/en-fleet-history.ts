/** What was deployed on all computers. */
export const enFleetHistory = {
  title: 'History',
  intro: 'What was requested, begun and reported on all computers, newest first.',
  computer: 'Computer',
  package: 'Package',
  after: 'From',
  before: 'Until',
  emptyTitle: 'Nothing deployed yet',
  emptyText: 'Requests and results of deployments appear here.',
  searchOn: 'Load more to search further back.',
  searchedUntil: 'Searched back to',
}
