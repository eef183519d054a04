/** The texts about packages that users ask for. The keys of the states are those of the API. */
export const enPackageRequests = {
  intro: 'What users of computers ask for. They see your decision.',
  state: 'State',
  columns: { wish: 'Request', computer: 'Computer', user: 'User', state: 'State', actions: 'Actions' },
  states: { Pending: 'Waiting', Approved: 'Approved', Declined: 'Declined' },
  emptyTitle: 'No requests',
  emptyText: 'Users ask with muster-agent open.',
  approve: 'Approve',
  approveTitle: 'Approve the request?',
  approveText: (user: string, computer: string) =>
    `${computer} joins the group of the package below “Requested software”. ${user} sees your answer.`,
  package: 'Package',
  answer: 'Answer to the user (optional)',
  approved: 'The package is on its way',
  decline: 'Decline',
  declineTitle: 'Decline the request?',
  declineText: (user: string) => `${user} sees your answer.`,
  declineAnswer: 'Reason',
}
