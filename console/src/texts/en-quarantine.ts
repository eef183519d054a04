export const enQuarantine = {
  title: 'Agents in quarantine',
  intro:
    'These agents claim to run on a computer that exists, without proving it by its UUID. They get no work until you confirm them.',
  columns: {
    computer: 'Computer',
    reported: 'Reported by the agent',
    matchedBy: 'Matches by',
    agent: 'Agent',
    address: 'Address',
    enrolled: 'Enrolled',
    actions: 'Actions',
  },
  properties: { Uuid: 'UUID', SerialNumber: 'Serial number', MacAddress: 'MAC address', Name: 'Name and domain' },
  emptyTitle: 'No agents in quarantine',
  emptyText: 'Agents appear here when a person must confirm them.',
  confirm: 'Confirm',
  confirmTitle: (name: string) => `Confirm the agent of ${name}?`,
  confirmText:
    'The agent gets the work of this computer, with its secrets. Compare the reported values with the computer first.',
  replacesAgent: 'The computer has another agent, which is then shut out.',
  confirmed: 'Confirmed',
  reject: 'Reject',
  rejectTitle: (name: string) => `Reject the agent of ${name}?`,
  rejectText: 'Its credential is no longer valid. The computer stays as it is.',
  rejected: 'Rejected',
}
