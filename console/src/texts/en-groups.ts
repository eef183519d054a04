export const enGroups = {
  title: 'Groups',
}
