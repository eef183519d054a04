export const enOverview = {
  title: 'Overview',
}
