export const enIssues = {
  title: 'Issues',
}
